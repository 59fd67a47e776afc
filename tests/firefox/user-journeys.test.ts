import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Browser } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { authWords, linkWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { flashMessages } from "#content/flash-message";
import { inboxWords } from "#content/inbox";
import { authMessages, contactMessages, inboxMessages, pageMessages } from "#content/messages";
import { home, login, navigationWords, sectionLinks } from "#content/navigation";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { devMailPath } from "../support/dev-mailbox.ts";
import { type RunningSite, sitePort, startSite } from "../support/site.ts";
import { openPage, type Person, startFirefox } from "./person.ts";

/** `afterAll` calls these functions in order. Each is added at the front, so that what started last stops first. */
const cleanUps: (() => Promise<unknown>)[] = [];
let dataDir: string;
let firefox: Browser;
let database: pg.Pool;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "firefox-"));
  cleanUps.unshift(() => rm(dataDir, { recursive: true, force: true }));
  const site: RunningSite = await startSite({ dataDir, port: sitePort });
  cleanUps.unshift(() => site.stop());
  database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 2 });
  cleanUps.unshift(() => database.end());
  firefox = await startFirefox();
  cleanUps.unshift(() => firefox.close());
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});
afterEach(async () => {
  for (const page of await firefox.pages()) {
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.close();
  }
});

test("a link in the landing page's menu leads to a section and closes the menu", async () => {
  const person = await openPage(firefox);
  await person.page.setViewport({ width: 390, height: 780 });
  await person.goTo("/");
  await person.see(contactWords.interest);
  const link = sectionLinks[1] ?? sectionLinks[0];
  if (!link) throw new Error("The menu is empty.");

  await person.press("button", navigationWords.menu);
  await person.press("link", link.label);
  await person.arriveAt(link.href);
  const menu = `nav[aria-label="${navigationWords.main}"]`;
  await person.page.waitForSelector(menu, { hidden: true });
  const heading = new URL(link.href, "http://localhost").hash;
  await person.page.waitForFunction(
    (id) => {
      const { top } = document.querySelector(id)?.getBoundingClientRect() ?? { top: -1 };
      return top >= -1 && top < innerHeight;
    },
    {},
    heading,
  );
});

test("a contact that a visitor sends with the form is stored", async () => {
  const person = await openPage(firefox);
  const email = await sendContact(person);
  expect(await storedFrom(email)).toEqual([
    { name: "Ada Heron", company: "Heron and Daughters", interest: "consulting" },
  ]);
});

test("without JavaScript, a visitor sends a contact and gets the thank-you page", async () => {
  const plain = await startFirefox({ javaScript: false });
  try {
    const { page, goTo } = await openPage(plain);
    await goTo("/");
    const email = newAddress();
    for (const [field, text] of Object.entries({ name: "Bea Wren", company: "Wren & Sons", email })) {
      // Use the keyboard: Puppeteer's clicks need timers in the page, which do not run without JavaScript.
      await page.$eval(`input[name="${field}"]`, (input) => (input as HTMLInputElement).focus());
      await page.keyboard.type(text);
    }
    await page.$eval('input[value="partnerships"]', (input) => (input as HTMLInputElement).focus());
    await page.keyboard.press(" ");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);

    expect(new URL(page.url()).pathname).toBe("/thanks");
    expect(await page.$eval("main", (main) => main.textContent)).toContain(contactMessages.sent);
    expect(await storedFrom(email)).toEqual([{ name: "Bea Wren", company: "Wren & Sons", interest: "partnerships" }]);
  } finally {
    await plain.close();
  }
});

test("a new user signs up, confirms, logs in and sees contacts only with the admin role", async () => {
  const visitor = await openPage(firefox);
  const contact = await sendContact(visitor);
  await visitor.page.close();

  const account = { email: newAddress(), password: "a long walk in the woods" };
  const person = await openPage(firefox);
  await person.goTo("/auth");
  await person.press("button", authWords.login.toggle);
  await person.write("email", account.email);
  await person.write("password", account.password);
  await person.press("button", authWords.signup.submit);
  await person.see(authMessages.signedUp);

  await person.goTo(await confirmationLink(account.email));
  await person.press("button", linkWords.signup.button);
  await person.see(flashMessages.confirmed);

  await person.goTo("/admin/contacts");
  await person.see(inboxMessages.notAdmin);
  await logOut(person);
  await logIn(person, account);
  await person.goTo("/admin/contacts");
  await person.see(inboxMessages.notAdmin);

  await database.query(
    "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1",
    [account.email],
  );
  await person.goTo("/admin/contacts");
  await person.see(contact);
  await logOut(person);
  expect(await person.page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("auth")))).toEqual([]);
  // Without a session, the inbox redirects to the login.
  await person.goTo("/admin/contacts");
  await person.arriveAt(login.href);
});

test("an unknown path gives a 404 page with a home link and a console message", async () => {
  const person = await openPage(firefox);
  const lines: string[] = [];
  person.page.on("console", (message) => lines.push(message.text()));
  await person.goTo("/no/such/path");
  await person.see(pageMessages.notFound);
  await expect.poll(() => lines.join("\n")).toContain("/no/such/path");
  await person.press("link", home.label);
  await person.arriveAt("/");
});

/** Fills in and sends the contact form; returns the email address. */
async function sendContact({ page, goTo, write, press, see }: Person): Promise<string> {
  const email = newAddress();
  await goTo("/");
  await page.$eval("#contact", (section) => section.scrollIntoView());
  await write("name", "Ada Heron");
  await write("company", "Heron and Daughters");
  await write("email", email);
  await press("radio", contactWords.interests[0].label);
  await press("button", contactWords.send);
  await see(contactMessages.sent);
  return email;
}

async function logIn({ goTo, write, press, see }: Person, { email, password }: { email: string; password: string }) {
  await goTo("/auth");
  await write("email", email);
  await write("password", password);
  await press("button", authWords.login.submit);
  await see(authMessages.loggedIn);
}

async function logOut({ press, arriveAt }: Person) {
  await press("button", inboxWords.logout);
  await arriveAt(login.href);
}

/** Waits for the confirmation mail to this address, which the server has captured, and returns its link. */
async function confirmationLink(email: string): Promise<string> {
  const { page, goTo } = await openPage(firefox);
  const mailbox = await devMailPath(dataDir, "/dev/mail");
  let link = "";
  await expect
    .poll(
      async () => {
        await goTo(mailbox);
        const mails = await page.$$eval("article", (articles) =>
          articles.map((article) => ({
            text: article.textContent ?? "",
            links: [...article.querySelectorAll("a")].map(({ href }) => href),
          })),
        );
        const mail = mails.find(({ text }) => text.includes(`To ${email},`));
        link = mail?.links.find((href) => new URL(href).pathname.startsWith("/auth")) ?? "";
        return link;
      },
      { timeout: 30_000 },
    )
    .not.toBe("");
  await page.close();
  return link;
}

async function storedFrom(email: string): Promise<unknown[]> {
  return (await database.query("select name, company, interest from contacts where email = $1", [email])).rows;
}

function newAddress(): string {
  return `visitor-${randomUUID()}@example.com`;
}
