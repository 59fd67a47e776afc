/**
 * `npm run screenshots`: pictures of every page and state at three widths, light and dark, in `screenshots/`. Starts
 * the site with data of its own. Fails if a picture could not be taken. `--only hero,menu` takes only the screens and
 * sections whose names contain one of these; `--width` and `--scheme` choose widths and colour schemes.
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import pg from "pg";
import { authWords } from "#content/auth";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { type RunningSite, startSite } from "#tests/support/site";
import { chromiumFlags, ensureChromium } from "../scripts/browsers.mjs";
import type { Screen } from "./screen.ts";
import { screens } from "./screens.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    width: { type: "string", default: "360,768,1440" },
    scheme: { type: "string", default: "light,dark" },
  },
});
const widths = options.width.split(",").map(Number);
const schemes = (["light", "dark"] as const).filter((scheme) => options.scheme.split(",").includes(scheme));
const isChosen = (name: string) => options.only.split(",").some((part) => name.includes(part));

/** The built pages contain the port. It is fixed, so that the next run can reuse the built pages. */
const port = 4175;
const millisecondsPerScreenMax = 30_000;
const folder = fileURLToPath(new URL("../screenshots/", import.meta.url));
const password = "a long walk in the woods";
type StorageState = BrowserContextOptions["storageState"];

const dataDir = await mkdtemp(join(tmpdir(), "screenshots-"));
console.log("Building and starting the site.");
const site = await startSite({
  dataDir,
  port,
  environment: { SITE_URL: `http://localhost:${port}`, BUILD_DIR: ".cache/screenshots-site" },
});
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
let failures = 0;
try {
  await takeAll();
} finally {
  await browser.close();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`\nThe pictures are in screenshots/. ${failures} could not be taken.`);
process.exitCode = failures === 0 ? 0 : 1;

async function takeAll() {
  const sessions = await prepareSessions(browser, site);
  await mkdir(folder, { recursive: true });
  for (const width of widths) {
    for (const scheme of schemes) {
      for (const screen of screens) {
        const wanted = [screen.name, ...Object.keys(screen.parts ?? {})].some(isChosen);
        if (!wanted || (screen.narrowerThan && width >= screen.narrowerThan)) continue;
        await take(screen, width, scheme, sessions[screen.as ?? "visitor"]);
      }
    }
  }
}

async function take(screen: Screen, width: number, colorScheme: "light" | "dark", storageState: StorageState) {
  const context = await browser.newContext({
    viewport: { width, height: width < 700 ? 740 : 900 },
    colorScheme,
    storageState,
    forcedColors: screen.forcedColors ?? "none",
    javaScriptEnabled: !screen.withoutJavaScript,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  context.setDefaultTimeout(millisecondsPerScreenMax);
  const name = (part: string) => join(folder, `${part}-${width}-${colorScheme}.png`);
  try {
    const page = await context.newPage();
    // A typeface that loads after the first paint is not used. A first visit puts the typefaces into the cache.
    await page.goto(`${site.url}/thanks`, { waitUntil: "networkidle" });
    await page.goto(site.url + screen.path);
    await screen.act?.(page);
    await settle(page, screen);
    for (const [part, selector] of Object.entries(screen.parts ?? {})) {
      const file = screen.name === "section" ? part : screen.name;
      if (!isChosen(file) && !isChosen(screen.name)) continue;
      // The part is cut from a picture of the full page, where the sticky header stays at the top and covers no part.
      const clip = await page.locator(selector).evaluate(boxOnPage);
      await page.screenshot({ path: name(file), fullPage: true, clip });
    }
    if (!screen.parts) await page.screenshot({ path: name(screen.name), fullPage: !screen.windowOnly });
    console.log(`${width} ${colorScheme} ${screen.name}`);
  } catch (error) {
    failures += 1;
    console.error(`${width} ${colorScheme} ${screen.name}: ${error instanceof Error ? error.message : error}`);
  } finally {
    await context.close();
  }
}

function boxOnPage(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y: y + window.scrollY, width, height };
}

/** Waits for the typefaces. */
async function settle(page: Page, { media, withoutJavaScript }: Screen) {
  if (media) await page.emulateMedia({ media });
  if (!withoutJavaScript) await page.evaluate(() => document.fonts.ready.then(() => true));
}

/** Stores contacts for the inbox, and an admin and a member with a browser session each. */
async function prepareSessions(browser: Browser, { url }: RunningSite) {
  const database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 1 });
  await storeContacts(database);
  const sessions: Record<"visitor" | "admin" | "member", StorageState> = {
    visitor: undefined,
    admin: await logIn(browser, url, await signUp(database, url, true)),
    member: await logIn(browser, url, await signUp(database, url, false)),
  };
  await database.end();
  return sessions;
}

async function signUp(database: pg.Pool, url: string, isAdmin: boolean): Promise<string> {
  const email = `${isAdmin ? "admin" : "member"}-${randomUUID().slice(0, 4)}@example.com`;
  const headers = { apikey: defaultPublicKey, "content-type": "application/json" };
  const answer = await fetch(`${url}/auth/v1/signup`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`The sign-up was answered with ${answer.status}: ${await answer.text()}`);
  await database.query("update auth.users set email_confirmed_at = now() where email = $1", [email]);
  if (isAdmin)
    await database.query(
      "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1",
      [email],
    );
  return email;
}

async function logIn(browser: Browser, url: string, email: string): Promise<StorageState> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/auth`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
  await page.waitForURL(`${url}/`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function storeContacts(database: pg.Pool) {
  const people = ["Bea Wren", "Ada Heron", "Noor Kestrel", "Ivo Lark", "Mila Siskin", "Tom Dunlin", "Ruth Avocet"];
  const companies = ["Wren & Sons", "", "Kestrel Optics", "A Rather Long Company Name of Bergen", "Siskin", "Dunlin"];
  const interests = ["consulting", "co-development", "partnerships"];
  for (let number = 0; number < 23; number++) {
    const name = people[number % people.length] ?? "";
    await database.query(
      `insert into contacts (name, company, email, interest, submitted_at, state, spam_reason)
       values ($1, $2, $3, $4, now() - $5 * interval '31 hours', $6, $7)`,
      [
        name,
        companies[number % companies.length],
        `${name.toLowerCase().replace(" ", ".")}.${number % 2}@example.com`,
        interests[number % 3],
        number,
        ["new", "new", "handled", "handled", "spam", "archived"][number % 6],
        number % 4 === 0 && number % 6 === 4
          ? "More than 30 contacts within an hour came from the same internet address."
          : null,
      ],
    );
  }
  const note = "Met at the spring market. Wants numbers before a call, and prefers to write.";
  await database.query("update contacts set note = $1 where name = 'Noor Kestrel'", [note]);
  await database.query("update contacts set state = 'handled' where name in ('Ada Heron', 'Tom Dunlin')");
}
