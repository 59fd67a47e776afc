import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { defaultPublicKey } from "#server/settings";
import { startBareServer } from "./page-rivals.ts";
import { bareInsert, createBareTable, pgbench } from "./pgbench.ts";
import { compare } from "./row.ts";
import { alternate, type Run } from "./run.ts";
import { startBenchSite } from "./site.ts";
import { wrk } from "./wrk.ts";

const script = fileURLToPath(new URL("./contacts.lua", import.meta.url));
/** More than one run of wrk sends. */
const visitorsPerRun = 100_000;
const quietSeconds = 1.5;
const quietSecondsMax = 90;

/** What does a contact cost over HTTP, with the worker and its mails, as the site sends it? */
export async function contactHttp(run: Run) {
  const { url, connection, mailLog } = await startBenchSite(run);
  const owner = new pg.Client(connection);
  owner.on("error", () => {});
  await owner.connect();
  await owner.query(createBareTable);
  const empty = await startBareServer(run, { status: 201, headers: {}, body: Buffer.alloc(0) });

  let runs = 0;
  const send = (to: string, seconds: number) => {
    const first = String(++runs * visitorsPerRun);
    return wrk(run, { url: `${to}/rest/v1/contacts`, seconds, script: [script, defaultPublicKey, first] });
  };
  const sendAndCount = async (seconds: number) => {
    const before = await countContacts(owner);
    const answers = await send(url, seconds);
    const stored = (await countContacts(owner)) - before;
    if (stored < answers.count) throw new Error(`${answers.count} contacts were answered, ${stored} stored.`);
    return answers;
  };
  const figures = await alternate(run, {
    async rules(seconds) {
      await owner.query("alter table public.contacts enable trigger user");
      const answers = await sendAndCount(seconds);
      // The mails of this round must not take the machine from the next side.
      await untilQuiet(mailLog, run.signal);
      return answers;
    },
    async "no rules"(seconds) {
      await owner.query("alter table public.contacts disable trigger user");
      return sendAndCount(seconds);
    },
    "bare insert": (seconds) => pgbench(run, connection, bareInsert, seconds),
    "empty server": (seconds) => send(empty, seconds),
  });
  await owner.end();

  const perSecond = (side: "rules" | "no rules" | "empty server") => figures[side].map((each) => each.perSecond);
  const question = "contact over HTTP";
  const [unit, ours] = ["/s", perSecond("rules")] as const;
  const rival = (name: string, figures: number[]) => ({ name, figures });
  return [
    compare({
      question,
      unit,
      ours,
      rival: rival("the same without rules", perSecond("no rules")),
      goal: { ratioAtLeast: 0.6 },
    }),
    compare({ question, unit, ours, rival: rival("bare insert", figures["bare insert"]), goal: { ratioAtLeast: 0.1 } }),
    compare({
      question: "contact over HTTP, 99th percentile",
      unit: "ms",
      ours: figures.rules.map(({ p99Milliseconds }) => p99Milliseconds),
      rival: rival(
        "its median",
        figures.rules.map(({ medianMilliseconds }) => medianMilliseconds),
      ),
      goal: { ratioBelow: 4 },
    }),
    compare({
      question,
      unit,
      ours,
      rival: rival("the load generator's limit, an empty node:http", perSecond("empty server")),
    }),
  ];
}

/** Only the contacts that no limit filed as spam. */
async function countContacts(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query("select count(*)::int as count from contacts where spam_reason is null");
  return rows[0].count;
}

/** Resolves when the mail server has received nothing for a while. */
async function untilQuiet(mailLog: string, signal: AbortSignal) {
  const deadline = performance.now() + quietSecondsMax * 1000;
  for (let size = -1; performance.now() < deadline; ) {
    const now = (await stat(mailLog)).size;
    if (now === size) return;
    size = now;
    await pause(quietSeconds * 1000, undefined, { signal });
  }
}
