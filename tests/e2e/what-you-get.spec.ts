// The way of one contact on a site with the demo's contacts, on a phone and on a desk: page, form, email, inbox.
// `npm run screenshots -- what-you-get` writes what it shows as the pictures of docs/what-you-get.md.
// Names in other scripts need their fonts: on Debian, fonts-noto-core and a font with Chinese characters.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "@playwright/test";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { workWords } from "#content/inbox";
import { contactMessages } from "#content/messages";
import { runDemo } from "#operations/commands/demo/run-demo";
import type { CapturedMail } from "#server/mail/dev-mailbox";
import { devMailPath } from "../support/dev-mailbox.ts";
import { freePort, startSite } from "../support/site.ts";
import { submitLogin } from "./support/auth-forms.ts";
import { rowLink } from "./support/contacts.ts";
import { expect, openContactForm, test } from "./support/fixtures.ts";

const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 780 };
const person = { name: "Ada Heron", company: "Heron & Daughters", email: "ada@heron.example" };

test("a contact from a phone is in the owner's mail and inbox @rare", async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), "what-you-get-"));
  const port = await freePort();
  const baseURL = `http://localhost:${port}`;
  const settings = { SITE_URL: baseURL, DATA_DIR: join(folder, "data"), ENV_FILE: "" };
  const environment = { ...settings, BUILD_DIR: join(folder, "site"), NOTIFY_TO: brand.email };
  const site = await startSite({ dataDir: settings.DATA_DIR, port, environment });
  try {
    const admin = await fillDemo(settings);
    const open = async (viewport: typeof desk) =>
      (
        await browser.newContext({ baseURL, viewport, deviceScaleFactor: 2, locale: "en-GB", reducedMotion: "reduce" })
      ).newPage();
    const devices = { desk: await open(desk), phone: await open(phone) };

    for (const page of Object.values(devices)) await page.goto("/");
    await keepPicture("page", browser, devices);

    for (const page of Object.values(devices)) await fillIn(page);
    await devices.phone.getByRole("button", { name: contactWords.send }).click();
    await expect(devices.phone.getByText(contactMessages.sent)).toBeVisible();
    await keepPicture("form", browser, devices);

    const mail = await mailTo(brand.email, baseURL + (await devMailPath(settings.DATA_DIR)));
    expect(mail.text).toContain(person.email);
    // As wide as the mail has room beside a list of mails.
    await devices.desk.setViewportSize({ width: 960, height: 600 });
    for (const page of Object.values(devices)) await showMail(page, mail);
    await keepPicture("mail", browser, devices);

    await devices.desk.setViewportSize(desk);
    for (const page of Object.values(devices)) {
      await page.goto("/admin/contacts");
      await submitLogin(page, admin);
      await expect(rowLink(page, person.name)).toBeVisible();
    }
    await rowLink(devices.desk, person.name).click();
    await expect(devices.desk.getByRole("region", { name: workWords.panel.label })).toContainText(person.email);
    await keepPicture("inbox", browser, devices);
    for (const page of Object.values(devices)) await page.context().close();
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Runs `npm run demo`, and returns the login that it prints. */
async function fillDemo(environment: Record<string, string>) {
  const printed: string[] = [];
  const print = (text: unknown) => void printed.push(String(text));
  expect(await runDemo([], { environment, print, printNote: print, printError: print })).toBe(0);
  const [, email = "", password = ""] = /Email +(\S+)\n +Password +(\S+)/.exec(printed.join("\n")) ?? [];
  return { email, password };
}

async function fillIn(page: Page) {
  await openContactForm(page);
  await page.getByLabel(contactWords.name, { exact: true }).fill(person.name);
  await page.getByLabel(contactWords.company).fill(person.company);
  await page.getByLabel(contactWords.email).fill(person.email);
  await page.getByRole("radio").first().check();
}

async function mailTo(address: string, mailbox: string): Promise<CapturedMail> {
  let found: CapturedMail | undefined;
  await expect(async () => {
    const mails: CapturedMail[] = await (await fetch(mailbox)).json();
    found = mails.find(({ to }) => to === address);
    expect(found).toBeDefined();
  }).toPass();
  return found as CapturedMail;
}

/** Shows an email below the lines that every mail program has. */
async function showMail(page: Page, { subject, from, to, html }: CapturedMail) {
  await page.goto("about:blank");
  await page.setContent(html);
  await page.evaluate(
    ([title = "", ...lines]) => {
      const header = document.createElement("header");
      header.style.cssText =
        "font:15px/1.5 system-ui;padding:20px 24px;border-bottom:1px solid #ccc;margin:-8px -8px 24px";
      for (const [index, line] of [title, ...lines].entries()) {
        const part = header.appendChild(document.createElement("div"));
        part.textContent = line;
        part.style.cssText = index === 0 ? "font-size:20px;font-weight:600" : "color:#555";
      }
      document.body.prepend(header);
    },
    [subject, `From ${from}`, `To ${to}`],
  );
}

/** One picture of what both devices show, the phone before the desk, on a transparent ground. */
async function keepPicture(name: string, browser: Browser, devices: Record<"desk" | "phone", Page>) {
  if (!process.env.SCREENSHOTS) return;
  const shots = await Promise.all(
    Object.entries(devices).map(async ([device, page]) => ({
      device,
      image: (await page.screenshot()).toString("base64"),
    })),
  );
  const sheet = await browser.newPage({ viewport: { width: 1080, height: 620 }, deviceScaleFactor: 1.6 });
  await sheet.setContent(`<style>
    img { position: absolute; border: 1px solid #8886; box-shadow: 0 8px 24px #0003 }
    .desk { left: 20px; top: 12px; width: 880px; border-radius: 10px }
    .phone { right: 20px; bottom: 24px; width: 230px; border-radius: 22px }
  </style>${shots.map(({ device, image }) => `<img class="${device}" src="data:image/png;base64,${image}">`).join("")}`);
  await sheet.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  const browserTools = await sheet.context().newCDPSession(sheet);
  await browserTools.send("Emulation.setDefaultBackgroundColorOverride", { color: { r: 0, g: 0, b: 0, a: 0 } });
  const { data } = await browserTools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, "base64"));
  await sheet.close();
}
