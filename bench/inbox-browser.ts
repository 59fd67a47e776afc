/**
 * `npm run bench:inbox-browser`: what does an administrator wait for in Chromium, among a million contacts? What do fifty
 * pages and a download of a hundred thousand contacts cost the tab and the server in memory? Fails if the file has not
 * each contact once. Prints the table as docs/measuring.md keeps it. Takes about two minutes (`--contacts 20000`).
 */
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import pg from "pg";
import { authWords } from "#content/auth";
import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import { chromiumFlags, ensureChromium } from "../scripts/browsers.mjs";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { seedContacts } from "./inbox/seed-contacts.ts";
import { quantile } from "./load/quantile.ts";
import { adminAccount, signUpAdmin } from "./performance/reads.ts";
import { startBenchSite } from "./performance/site.ts";

const { values: options } = parseArgs({ options: { contacts: { type: "string", default: "1000000" } } });
const contacts = Number(options.contacts);
const rounds = 5;
const pages = 50;
/** A tenth of the contacts, which are spread over two years. */
const downloadedDays = 73;
const rows = "tr[data-contact]";
const { find } = inboxWords;

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
const folder = await realpath(await mkdtemp(join(tmpdir(), "bench-inbox-browser-")));
// The processes of this run, and no others, are found by this folder (scripts/leftover-processes.mjs).
process.env.TMPDIR = folder;
const run = { folder, signal: stopping.signal, rounds, seconds: 0, progress };
let isComplete = false;
try {
  const site = await startBenchSite(run, { AUTH_AUTOCONFIRM: "on" });
  const owner = new pg.Pool({ ...site.connection, max: 2 });
  owner.on("error", () => {});
  await seedContacts(owner, contacts, progress);
  await signUpAdmin(site.url, owner);

  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  stopping.signal.addEventListener("abort", () => browser.close());
  const page = await browser.newPage({ baseURL: site.url });
  await logIn(page);
  const measured: [string, string][] = [];

  progress("waits");
  const yearAgo = localDay(-365);
  const waits = {
    "first row, with everything of the page in the cache": () => openInbox(page),
    "search, frequent word": () => search(page, "heron"),
    "search, one of 50,000": () => search(page, "quyzwick"),
    "jump to a date a year back": async () => {
      await page.getByLabel(find.jump).fill(yearAgo);
      await page
        .locator(`${rows} time[datetime^="${yearAgo.slice(0, 7)}"]`)
        .first()
        .waitFor();
    },
  };
  for (const [name, wait] of Object.entries(waits)) {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      if (name !== Object.keys(waits)[0]) await openInbox(page);
      const begin = performance.now();
      await wait();
      if (round > 0) times.push(performance.now() - begin);
    }
    measured.push([name, `${Math.round(quantile(times, 0.5))} ms`]);
  }

  progress(`${pages} pages`);
  await openInbox(page);
  const before = await tabMemory(page);
  const older = page.getByRole("button", { name: inboxWords.older, exact: true });
  const begin = performance.now();
  for (let pressed = 0; pressed < pages; pressed++) {
    const last = await page.locator(rows).last().getAttribute("data-contact");
    // Not by `click`, which first waits until nothing moves.
    await older.evaluate((button) => button instanceof HTMLElement && button.click());
    await page.waitForFunction(
      (id) => document.querySelector("tr[data-contact]:last-child")?.getAttribute("data-contact") !== id,
      last,
    );
  }
  measured.push([`Older, ${pages} times: each`, `${Math.round((performance.now() - begin) / pages)} ms`]);
  measured.push([`memory of the tab before and after ${pages} pages`, `${before} and ${await tabMemory(page)}`]);
  measured.push(["rows in the page then", String(await page.locator(rows).count())]);

  progress("download");
  await page.goto(`/admin/contacts?state=all&from=${localDay(-downloadedDays)}`);
  await page.locator(rows).first().waitFor();
  const tabBefore = await tabMemory(page);
  const serverBefore = await processMemory(site.pid);
  const start = performance.now();
  const [download] = await Promise.all([
    page.waitForEvent("download", { timeout: 10 * 60_000 }),
    page.getByRole("button", { name: exportWords.download }).click(),
  ]);
  const file = await readFile(await download.path(), "utf8");
  const seconds = (performance.now() - start) / 1000;
  // The columns begin with a time and end with the id; no contact of this run has a line break.
  const ids = file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.slice(line.lastIndexOf(",") + 1));
  const { rows: stored } = await owner.query("select id from contacts where state <> 'spam' and submitted_at >= $1", [
    new Date(`${localDay(-downloadedDays)}T00:00`),
  ]);
  const written = new Set(ids);
  isComplete = ids.length === stored.length && written.size === ids.length && stored.every(({ id }) => written.has(id));
  measured.push(["download: contacts in the database and in the file", `${stored.length} and ${ids.length}`]);
  measured.push(["download: duration, size", `${seconds.toFixed(1)} s, ${Math.round(file.length / 2 ** 20)} MB`]);
  measured.push(["memory of the tab before and after the download", `${tabBefore} and ${await tabMemory(page)}`]);
  measured.push([
    "memory of the server before and after, and its highest ever",
    `${serverBefore}, ${await processMemory(site.pid)} and ${await processMemory(site.pid, "VmHWM")}`,
  ]);
  console.log(`| among ${contacts.toLocaleString("en-GB")} contacts | |\n| --- | --- |`);
  for (const cells of measured) console.log(`| ${cells.join(" | ")} |`);
  await browser.close();
  await owner.end();
} finally {
  await endLeftoverProcesses(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
process.exit(isComplete ? 0 : 1);

async function logIn(page: Page) {
  await page.goto("/auth");
  await page.getByLabel(authWords.email).fill(adminAccount.email);
  await page.getByLabel(authWords.password, { exact: true }).fill(adminAccount.password);
  await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

async function openInbox(page: Page) {
  await page.goto("/admin/contacts", { waitUntil: "commit" });
  await page.locator(rows).first().waitFor();
}

async function search(page: Page, name: string) {
  await page.getByRole("searchbox").fill(name);
  await page.waitForFunction(
    ([selector, text]) => document.querySelector(selector)?.textContent?.toLowerCase().includes(text),
    [`table[aria-busy=false] ${rows}:first-child`, name] as const,
  );
}

/** What the script of the page holds after a garbage collection, and what the process of the tab has. */
async function tabMemory(page: Page): Promise<string> {
  const tab = await page.context().newCDPSession(page);
  await tab.send("HeapProfiler.collectGarbage");
  const { usedSize } = await tab.send("Runtime.getHeapUsage");
  const system = await page.context().browser()?.newBrowserCDPSession();
  const processes = (await system?.send("SystemInfo.getProcessInfo"))?.processInfo ?? [];
  const renderers = await Promise.all(
    processes.filter(({ type }) => type === "renderer").map(({ id }) => processMemory(id)),
  );
  return `${megabytes(usedSize)} of script (processes: ${renderers.join(", ")})`;
}

async function processMemory(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return megabytes(Number(status.match(new RegExp(`^${field}:\\s+(\\d+)`, "m"))?.[1]) * 1024);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

function localDay(daysLater: number): string {
  const day = new Date(Date.now() + daysLater * 24 * 60 * 60 * 1000);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
}

/** Goes to standard error, so that standard output has the table only. */
function progress(text: string) {
  process.stderr.write(`${text}\n`);
}
