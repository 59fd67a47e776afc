import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { chromiumFlags, findChromium } from "../../scripts/browsers.mjs";
import { newContact, publicAddress } from "../load/requests.ts";

/** What a visitor saw who pressed Send. */
export interface Pressed {
  email: string;
  /** Sent, or refused with everything still filled in; otherwise what went wrong. */
  outcome: string;
  seconds: number;
}

const answerSecondsMax = 60;
/** A browser takes a third of a core while it loads the page, which the machines would lack. */
const pauseSeconds = 5;
/** A quicker answer needs no busy state. */
const busyAfterSeconds = 0.3;

/** One visitor after the other opens the page in Chromium, fills in the form and presses Send, until `until` resolves. */
export async function pressSend(address: string, until: Promise<unknown>): Promise<Pressed[]> {
  const all: Pressed[] = [];
  // Each visitor has a network of their own.
  const way = createServer((visitor) => {
    const site = connect({ host: address, port: 80, localAddress: publicAddress(250_000 + all.length) });
    for (const end of [visitor, site]) end.on("error", () => [visitor, site].map((each) => each.destroy()));
    visitor.pipe(site).pipe(visitor);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  const { port } = way.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: findChromium() ?? "",
    args: [...chromiumFlags, `--host-resolver-rules=MAP example.com:80 127.0.0.1:${port}`],
  });
  let isOver = false;
  until.finally(() => (isOver = true)).catch(() => {});
  try {
    while (!isOver) {
      all.push(await visit(browser, newContact(`browser-${all.length}`)));
      await pause(pauseSeconds * 1000);
    }
    return all;
  } finally {
    await browser.close();
    way.close();
  }
}

async function visit(browser: Browser, { name, company, email }: ReturnType<typeof newContact>): Promise<Pressed> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let pressedAt = performance.now();
  const pressed = (outcome: string) => ({ email, outcome, seconds: (performance.now() - pressedAt) / 1000 });
  try {
    await page.goto("http://example.com/");
    await page.locator("#contact").scrollIntoViewIfNeeded();
    await page.waitForFunction(() => !document.querySelector("astro-island[ssr]"));
    const fields = [contactWords.name, contactWords.company, contactWords.email].map((label) =>
      page.getByRole("textbox", { name: label, exact: true }),
    );
    for (const [index, text] of [name, company, email].entries()) await fields[index]?.fill(text);
    const interest = page.getByRole("radio").first();
    await interest.check();

    pressedAt = performance.now();
    await page.getByRole("button", { name: contactWords.send, exact: true }).click();
    const answer = page.locator("#contact-notice", { hasText: /./ });
    const busy = page.getByRole("button", { name: contactWords.sending });
    await answer.waitFor({ timeout: busyAfterSeconds * 1000 }).catch(() => answer.or(busy).waitFor({ timeout: 1000 }));
    await answer.waitFor({ timeout: answerSecondsMax * 1000 });
    if ((await answer.textContent())?.includes(contactMessages.sent)) return pressed("sent");
    assert.deepEqual(await Promise.all(fields.map((each) => each.inputValue())), [name, company, email]);
    assert(await interest.isChecked());
    return pressed("refused");
  } catch (error) {
    return pressed((error as Error).message);
  } finally {
    await context.close();
  }
}
