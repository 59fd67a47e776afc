import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { accountWords } from "#content/account";
import { authWords, linkWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import { shortcutWords } from "#content/inbox-on-demand";
import { authMessages, contactMessages, inboxMessages, pageMessages } from "#content/messages";
import { accountLink, home, login, navigationWords, sectionLinks } from "#content/navigation";
import { outcomeWords } from "#content/outcomes";
import { devMailPath } from "../support/dev-mailbox.ts";
import { type RunningSite, sitePort, startSite, testSiteSettings } from "../support/site.ts";
import { escapeKey, type Person, personIn } from "./person.ts";
import { type Browser, startBrowser } from "./web-driver.ts";

/** A page of another site, with a link to this one. */
const elsewhere = createServer((_, answer) =>
  answer.setHeader("content-type", "text/html").end(`<a href="${testSiteSettings.SITE_URL}/?ref=card">A link</a>`),
);

/** `afterAll` calls these functions in order. Each is added at the front, so that what started last stops first. */
const cleanUps: (() => Promise<unknown>)[] = [];
let dataDir: string;
let browser: Browser;
let person: Person;
let database: pg.Pool;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "browsers-"));
  cleanUps.unshift(() => rm(dataDir, { recursive: true, force: true }));
  elsewhere.listen(0, "127.0.0.1");
  cleanUps.unshift(async () => elsewhere.close());
  const site: RunningSite = await startSite({ dataDir, port: sitePort });
  cleanUps.unshift(() => site.stop());
  database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 2 });
  cleanUps.unshift(() => database.end());
  browser = await startBrowser();
  cleanUps.unshift(() => browser.close());
  person = personIn(browser);
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});
afterEach(async () => {
  await person.goTo("/thanks");
  await person.inPage("localStorage.clear(); sessionStorage.clear()");
});

test("a link in the landing page's menu leads to a section and closes the menu", async () => {
  await browser.send("SetWindowRect", { width: 390, height: 780 });
  await person.goTo("/");
  await person.see(contactWords.interest);
  const link = sectionLinks[1] ?? sectionLinks[0];
  if (!link) throw new Error("The menu is empty.");

  await person.press("button", navigationWords.menu);
  await person.press("link", link.label);
  await person.arriveAt(link.href);
  const isMenuOpen = `return document.querySelector('nav[aria-label="${navigationWords.main}"]').checkVisibility()`;
  await expect.poll(() => person.inPage(isMenuOpen)).toBe(false);
  const heading = new URL(link.href, "http://localhost").hash;
  const isInWindow = `
    const { top } = document.querySelector("${heading}").getBoundingClientRect();
    return top >= -1 && top < innerHeight`;
  await expect.poll(() => person.inPage(isInWindow)).toBe(true);
});

test("a button within text is underlined as a link is", async () => {
  await person.goTo("/auth");
  await person.see(authWords.login.toggle);
  const underlined = `
    const underlined = [...document.querySelectorAll("a, button")].filter(
      (control) => getComputedStyle(control).textDecorationLine === "underline");
    return underlined.map(({ textContent }) => textContent)`;
  expect(await person.inPage(underlined)).toContain(authWords.login.toggle);
});

test("a contact that a visitor sends with the form is stored", async () => {
  await followLink(person);
  expect(await person.inPage("return [document.cookie, localStorage.length, sessionStorage.length]")).toEqual([
    "",
    0,
    0,
  ]);
  const email = await fillInForm();
  expect(await storedFrom(email)).toEqual([
    { name: "Ada Heron", company: "Heron and Daughters", interest: "consulting", ...source, referrer: "127.0.0.1" },
  ]);
});

test("without JavaScript, a visitor sends a contact and gets the thank-you page", async () => {
  const plain = await startBrowser({ javaScript: false });
  try {
    const { write, press, see, inPage, ...visitor } = personIn(plain);
    await followLink({ ...visitor, press });
    const email = newAddress();
    await write("name", "Bea Wren");
    await write("company", "Wren & Sons");
    await write("email", email);
    await press("radio", contactWords.interests[2].label);
    await press("button", contactWords.send);
    await see(contactMessages.sent);
    expect(await inPage("return location.pathname")).toBe("/thanks");
    const contact = { name: "Bea Wren", company: "Wren & Sons", interest: "partnerships" };
    // The server does not learn what page was before the one with the form.
    expect(await storedFrom(email)).toEqual([{ ...contact, ...source, referrer: "" }]);
  } finally {
    await plain.close();
  }
});

test("a new user signs up, confirms, logs in and sees contacts only with the admin role", async () => {
  const contact = await sendContact();
  const account = { email: newAddress(), password: "a long walk in the woods" };
  await person.goTo("/auth");
  await person.press("button", authWords.login.toggle);
  await person.write("email", account.email);
  await person.write("password", account.password);
  await person.press("button", authWords.signup.submit);
  await person.see(authMessages.signedUp);

  await person.goTo(await confirmationLink(account.email));
  await person.press("button", linkWords.signup.button);
  await person.see(outcomeWords.confirmed);

  await person.goTo("/admin/contacts");
  await person.see(inboxMessages.notAdmin);
  await logOut();
  await logIn(account);
  await person.goTo("/admin/contacts");
  await person.see(inboxMessages.notAdmin);

  await database.query(
    "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1",
    [account.email],
  );
  await person.goTo("/admin/contacts");
  // On a phone the address is in the open contact only.
  await person.press("link", "Ada Heron");
  await person.see(contact);
  await person.goTo("/admin/contacts");
  await person.see("Ada Heron");
  await seeDialog();
  await seePopover();
  await logOutHere();
  expect(await person.inPage("return Object.keys(localStorage).filter((key) => key.includes('auth'))")).toEqual([]);
  // Without a session, the inbox redirects to the login.
  await person.goTo("/admin/contacts");
  await person.arriveAt(login.href);
});

test("an unknown path gives a 404 page with a home link", async () => {
  await person.goTo("/no/such/path");
  await person.see(pageMessages.notFound);
  await person.press("link", home.label);
  await person.arriveAt("/");
});

const source = { campaign: "card", first_page: "/" };

async function followLink({ goTo, press, arriveAt }: Pick<Person, "goTo" | "press" | "arriveAt">) {
  await goTo(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await press("link", "A link");
  await arriveAt("/?ref=card");
}

/** Sends a contact; returns the email address. */
async function sendContact(): Promise<string> {
  await person.goTo("/");
  return fillInForm();
}

async function fillInForm(): Promise<string> {
  const { write, press, see, inPage } = person;
  const email = newAddress();
  await write("name", "Ada Heron");
  await write("company", "Heron and Daughters");
  await write("email", email);
  await press("radio", contactWords.interests[0].label);
  // Before hydration the browser itself sends the form, without the host of the page before.
  await expect.poll(() => inPage('return document.querySelector("astro-island[ssr]")')).toBeNull();
  await press("button", contactWords.send);
  await see(contactMessages.sent);
  return email;
}

async function logIn({ email, password }: { email: string; password: string }) {
  await person.goTo("/auth");
  await person.write("email", email);
  await person.write("password", password);
  await person.press("button", authWords.login.submit);
  await person.see(authMessages.loggedIn);
}

async function logOut() {
  await person.press("button", inboxWords.logout);
  await person.arriveAt(login.href);
}

/** The account's menu is a popover: it takes the focus, and Escape or a press beside it closes it. */
async function logOutHere() {
  const title = accountWords.logOutHere;
  const isOpen = () => person.inPage('return document.querySelector("#menu").matches(":popover-open")');
  for (const close of [() => person.pressKey(escapeKey), () => person.press("page", "")]) {
    await person.press("button", accountLink.label);
    await expect.poll(() => person.inPage("return document.activeElement.textContent")).toContain(title);
    await close();
    await expect.poll(isOpen).toBe(false);
  }
  await person.press("button", accountLink.label);
  await person.press("button", title);
  await person.arriveAt(login.href);
}

/** Opens and closes a dialog. In a window higher than its text, it is as high as its text. */
async function seeDialog() {
  await browser.send("SetWindowRect", { width: 1024, height: 1000 });
  const { text, close } = shortcutWords;
  await person.pressKey("?");
  await person.see(text);
  expect(await person.inPage('return document.querySelector("dialog h2").offsetHeight')).toBeLessThan(80);
  await person.press("button", close);
}

/** Opens a popover, which Escape closes. It is in the window, although its place is set by a script. */
async function seePopover() {
  const press = `document.querySelector('button[aria-label^="${inboxWords.more}"]').click()`;
  await person.inPage(press);
  await person.see(exportWords.download);
  const box = "const { left, right, top } = document.querySelector(':popover-open').getBoundingClientRect();";
  expect(await person.inPage(`${box} return left >= 0 && right <= innerWidth && top >= 0`)).toBe(true);
  await person.pressKey("\uE00C");
  await expect.poll(() => person.inPage("return document.querySelector(':popover-open')")).toBe(null);
}

/** Waits for the confirmation mail to this address, which the server has captured, and returns its link. */
async function confirmationLink(email: string): Promise<string> {
  const mailbox = testSiteSettings.SITE_URL + (await devMailPath(dataDir));
  const textOf = async () => {
    const mails: { to: string; text: string }[] = await (await fetch(mailbox)).json();
    return mails.find(({ to }) => to === email)?.text ?? "";
  };
  await expect.poll(textOf).toContain("/auth");
  return (await textOf()).match(/http\S+/)?.[0] ?? "";
}

async function storedFrom(email: string): Promise<unknown[]> {
  const columns = "name, company, interest, referrer, campaign, first_page";
  return (await database.query(`select ${columns} from contacts where email = $1`, [email])).rows;
}

function newAddress(): string {
  return `visitor-${randomUUID()}@example.com`;
}
