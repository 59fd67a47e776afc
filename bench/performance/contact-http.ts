import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { OwnerConnection } from "#backend/database/embedded/embedded-postgres";
import { newContact } from "../load/requests.ts";
import { compareSides, type Run, type Side, startBenchSite } from "./comparison.ts";
import { distinctRequests, wrk } from "./programs.ts";

/** More than one run of wrk sends. */
const visitorsPerRun = 100_000;

/** How fast is a contact, with all rules, the worker and its mails, beside the shortest honest server that stores one? */
export async function contactHttp(run: Run) {
  const { url, connection } = await startBenchSite(run);
  const peer = await startPeer(run, connection);
  const owner = new pg.Pool({ ...connection, max: 1 });
  owner.on("error", () => {});
  /** Only the contacts that no limit filed as spam. */
  const countContacts = async () => (await owner.query("select from contacts where spam_reason is null")).rowCount ?? 0;

  let runs = 0;
  const send = (to: string, seconds: number, atOnce: number) => {
    const script = distinctRequests(newContact("visitor-%d"), { first: ++runs * visitorsPerRun });
    return wrk(run, { url: `${to}/rest/v1/contacts`, seconds, atOnce, script });
  };
  const ours = (atOnce: number) => async (seconds: number) => {
    const before = await countContacts();
    const answers = await send(url, seconds, atOnce);
    const stored = (await countContacts()) - before;
    if (stored < answers.count) throw new Error(`${answers.count} contacts were answered, ${stored} stored.`);
    await untilAnnounced(owner, run.signal);
    return answers;
  };
  const goals = { 1: 0.45, 8: 0.3, 32: 0.24 };
  const sides: Record<string, Side> = {};
  for (const atOnce of Object.keys(goals).map(Number)) {
    sides[`ours at ${atOnce}`] = ours(atOnce);
    sides[`Fastify with one prepared insert at ${atOnce}`] = (seconds) => send(peer, seconds, atOnce);
  }
  const comparisons = Object.entries(goals).map(([atOnce, atLeast]) => ({
    question: `contact over HTTP, ${atOnce} at once`,
    ours: [`ours at ${atOnce}`, "perSecond"] as const,
    rival: [`Fastify with one prepared insert at ${atOnce}`, "perSecond"] as const,
    unit: "/s" as const,
    atLeast,
  }));
  const rows = await compareSides(run, sides, comparisons);
  await owner.end();
  return rows;
}

async function startPeer({ signal }: Run, connection: OwnerConnection): Promise<string> {
  const file = fileURLToPath(new URL("./rivals/contact-peer.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { signal, stdio: ["pipe", "pipe", "inherit"] });
  child.on("error", (error) => !signal.aborted && console.error(error));
  child.stdin.end(JSON.stringify(connection));
  const [line] = await once(child.stdout, "data", { signal });
  return String(line).trim();
}

/** Resolves when every contact is mailed or waits for the digest: the worker must not slow the next side. */
async function untilAnnounced(owner: pg.Pool, signal: AbortSignal) {
  const waiting = "select from private.jobs where task in ('announce-contact', 'mail-contact') limit 1";
  while ((await owner.query(waiting)).rowCount) await pause(100, undefined, { signal });
}
