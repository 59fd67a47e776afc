import type { IncomingMessage } from "node:http";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createDatabase } from "#tests/support/database";
import { createVisitCounter } from "./visit-counter.ts";

const database = await createDatabase();
beforeEach(() => database.owner.query("truncate private.visits"));

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const visit = {
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "cross-site",
  "user-agent": chrome,
  referer: "https://news.example/",
};

test("visits are counted by page, host and campaign", async () => {
  const { counter } = startCounter();
  for (const url of ["/", "/", "/?utm_source=card", "/terms-of-service"]) counter.count(request(url, visit));
  counter.count(request("/", { ...visit, "sec-fetch-site": "none", referer: undefined }));
  // Forged, or by way of another site: the page that was sent counts.
  counter.count(request("/", { ...visit, referer: "https://site.test/invented" }));
  expect(await stored()).toEqual([]);
  await counter.write();
  await counter.write();
  expect(await stored()).toEqual([
    "/ 2",
    "/ news.example 2",
    "/ news.example card 1",
    "/terms-of-service news.example 1",
  ]);
});

test("what no person sees as an arrival does not count", async () => {
  const { counter } = startCounter();
  counter.count(request("/", {}));
  counter.count(request("/", visit, "HEAD"));
  for (const changed of [
    { "sec-fetch-dest": "iframe" },
    { "sec-fetch-mode": "cors" },
    { "sec-fetch-site": "same-origin" },
    { "sec-purpose": "prefetch" },
    { "user-agent": `${chrome} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)` },
  ])
    counter.count(request("/", { ...visit, ...changed }));
  await counter.stop();
  expect(await stored()).toEqual([]);
});

test.each([{ "sec-gpc": "1" }, { dnt: "1" }])("with %o a visit counts without its source", async (signal) => {
  const { counter } = startCounter();
  counter.count(request("/?utm_source=card", { ...visit, ...signal }));
  await counter.stop();
  expect(await stored()).toEqual(["/ 1"]);
});

test("visits wait for a database that is away", async () => {
  const { counter, warnings } = startCounter();
  await database.owner.query("alter table private.visits rename to away");
  counter.count(request("/", visit));
  await counter.write();
  await database.owner.query("alter table private.away rename to visits");
  expect(warnings).toEqual([expect.stringMatching(/^Visits could not be written and will be in a minute: /)]);
  counter.count(request("/", visit));
  await counter.write();
  expect(await stored()).toEqual(["/ news.example 2"]);
});

test("with very many sources in a minute, visits count without their source", async () => {
  const { counter } = startCounter();
  for (let n = 0; n < 5000; n++) counter.count(request(`/?ref=${n}`, { ...visit, referer: undefined }));
  await counter.write();
  const { rows } = await database.owner.query(
    "select count(*)::int as rows, sum(visits)::int as visits, max(visits) as without from private.visits",
  );
  expect(rows).toEqual([{ rows: 501, visits: 5000, without: 3000 }]);
});

function startCounter() {
  const warnings: string[] = [];
  const counter = createVisitCounter(database.owner, "https://site.test", {
    warn: (message: string) => void warnings.push(message),
  });
  if (!counter) throw new Error("Visits are not counted.");
  onTestFinished(counter.stop);
  return { counter, warnings };
}

function request(url: string, headers: Record<string, string | undefined>, method = "GET") {
  return { method, url, headers } as unknown as IncomingMessage;
}

async function stored(): Promise<string[]> {
  const { rows } = await database.owner.query(
    "select concat_ws(' ', first_page, nullif(referrer, ''), nullif(campaign, ''), visits) as row from private.visits order by 1",
  );
  return rows.map(({ row }) => row);
}
