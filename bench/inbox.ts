/**
 * `npm run bench:inbox`: is the inbox as fast among a million contacts as among a thousand? One server for each number
 * of contacts. Every call of the inbox goes through HTTP as an administrator's, to each server in turn, so that a busy
 * machine slows down all of them. Prints the medians as docs/measuring.md keeps them, and fails if a goal is missed. Takes
 * about four minutes; `--sizes 1000,20000` and `--rounds 5` make it shorter.
 */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { defaultPublicKey } from "#server/settings";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { seedContacts } from "./inbox/seed-contacts.ts";
import { quantile } from "./load/quantile.ts";
import { signUpAdmin } from "./performance/reads.ts";
import { shortened } from "./performance/row.ts";
import { startBenchSite } from "./performance/site.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000,1000000" },
    rounds: { type: "string", default: "41" },
  },
});
const sizes = options.sizes.split(",").map(Number);
const rounds = Number(options.rounds);

/** A place in the middle of the list, and contacts near it to change. */
interface Middle {
  at: string;
  ids: string[];
}

interface Call {
  path: string;
  method?: "POST" | "PATCH";
  body?: unknown;
}

const inOrder = "order=submitted_at.desc,id.asc&limit=50";
const inbox = ["new", "handled", "archived"];
/** How much longer the largest size may take than the smallest. */
interface Goal {
  ratioMax: number;
  moreMillisecondsMax: number;
}
const stable: Goal = { ratioMax: 1.5, moreMillisecondsMax: 5 };
/** The chart counts a quarter of these contacts. */
const counted: Goal = { ratioMax: Number.POSITIVE_INFINITY, moreMillisecondsMax: 250 };
const tenfold: Goal = { ratioMax: 10, moreMillisecondsMax: Number.POSITIVE_INFINITY };

/** The calls as the inbox makes them (site/supabase/read-contacts.ts), with the goal for the largest size. */
const questions: Record<string, { call(middle: Middle, round: number): Call; goal?: Goal }> = {
  "first page": { goal: stable, call: () => list(`state=in.(${inbox})`) },
  "page in the middle": {
    goal: stable,
    call: ({ at, ids: [id] }) =>
      list(`state=in.(${inbox})&submitted_at=lte.${at}&or=(submitted_at.lt.${at},id.gt.${id})`),
  },
  "filter: state, interest, a year back": {
    call: () => list(`state=eq.handled&interest=eq.partnerships&submitted_at=lt.${daysAgo(365)}`),
  },
  "search, three letters, frequent": { goal: tenfold, call: () => search("ann") },
  "search, three letters, rare": { goal: tenfold, call: () => search("quy") },
  "count of the search, frequent": { call: () => rpc("count_contacts", { _search: "ann", _states: inbox }) },
  "count of the list": { call: () => rpc("count_contacts", { _states: inbox }) },
  chart: { goal: counted, call: () => ({ path: "contacts_per_week?select=week,interest,contacts&order=week" }) },
  "change of a state": {
    goal: stable,
    call: ({ ids }, round) => ({
      path: `contacts?id=eq.${ids[Math.floor(round / 2) % ids.length]}`,
      method: "PATCH",
      body: { state: round % 2 === 0 ? "spam" : "handled" },
    }),
  },
  news: { call: () => rpc("inbox_news", {}) },
};

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
const folder = await realpath(await mkdtemp(join(tmpdir(), "bench-inbox-")));
// The processes of this run, and no others, are found by this folder (scripts/leftover-processes.mjs).
process.env.TMPDIR = folder;
let missed = 0;
try {
  const sites = [];
  for (const size of sizes) sites.push(await startSite(size));
  const head = ["call", ...sizes.map((size) => size.toLocaleString("en-GB")), "growth", "goal", "met"];
  const table = [head, head.map(() => "---")];
  for (const [name, { call, goal }] of Object.entries(questions)) {
    progress(name);
    const times = sites.map(() => [] as number[]);
    // The first rounds fill caches and let Node compile the code in use.
    for (let round = -5; round < rounds; round++)
      for (const [index, site] of sites.entries()) {
        stopping.signal.throwIfAborted();
        const time = await site.time(call(site.middle, round + 5));
        if (round >= 0) times[index]?.push(time);
      }
    const medians = times.map((figures) => quantile(figures, 0.5));
    const [first = Number.NaN, last = Number.NaN] = [medians[0], medians.at(-1)];
    const ratio = last / first;
    const met = goal && ratio <= goal.ratioMax && last - first <= goal.moreMillisecondsMax;
    if (met === false) missed++;
    table.push([
      name,
      ...medians.map((median) => `${shortened(median)} ms`),
      `${shortened(ratio)} ×`,
      goal ? describe(goal) : "",
      met === undefined ? "" : met ? "yes" : "NO",
    ]);
  }
  console.log(table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
} finally {
  await endLeftoverProcesses(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
progress(`${missed} goals missed.`);
process.exit(missed > 0 || stopping.signal.aborted ? 1 : 0);

function describe({ ratioMax, moreMillisecondsMax }: Goal): string {
  const parts = [
    Number.isFinite(ratioMax) && `${ratioMax} ×`,
    Number.isFinite(moreMillisecondsMax) && `${moreMillisecondsMax} ms more`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** A server with so many contacts. */
async function startSite(size: number) {
  progress(`${size.toLocaleString("en-GB")} contacts`);
  const siteFolder = join(folder, `${size}`);
  await mkdir(siteFolder);
  const run = { folder: siteFolder, signal: stopping.signal, rounds, seconds: 0, progress };
  const { url, connection } = await startBenchSite(run, { AUTH_AUTOCONFIRM: "on" });
  const owner = new pg.Pool({ ...connection, max: 2 });
  owner.on("error", () => {});
  await seedContacts(owner, size, progress);
  const { token } = await signUpAdmin(url, owner);
  const { rows } = await owner.query<{ id: string; at: string }>(
    `select id, to_char(submitted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from contacts
     where state <> 'spam' order by submitted_at desc, id offset $1 limit 50`,
    [Math.floor(size / 2)],
  );
  await owner.end();
  const headers = { apikey: defaultPublicKey, authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    middle: { at: rows[0]?.at ?? "", ids: rows.map(({ id }) => id) },
    /** The time until the answer was read, in milliseconds. */
    async time({ path, method, body }: Call): Promise<number> {
      const begin = performance.now();
      const answer = await fetch(`${url}/rest/v1/${path}`, {
        headers,
        ...(method && { method, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const time = performance.now() - begin;
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return time;
    },
  };
}

function list(filters: string): Call {
  return { path: `contacts?select=*&${filters}&${inOrder}` };
}

function search(words: string): Call {
  return rpc("search_contacts", { _search: words, _states: inbox });
}

function rpc(name: string, parameters: object): Call {
  return { path: `rpc/${name}`, method: "POST", body: parameters };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
}

/** Goes to standard error, so that standard output has the table only. */
function progress(text: string) {
  process.stderr.write(`${text}\n`);
}
