import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { seedRows } from "../attack/target.ts";
import { findInterrupted, reportContacts, untilQueueIsEmpty } from "../load/deliveries.ts";
import type { startMailServer } from "../load/mail-server.ts";
import type { Measurement, Result } from "../load/measurement.ts";
import { queryWhenUp } from "../load/postgres.ts";
import { quantile } from "../load/quantile.ts";
import { newContact, type Sent } from "../load/requests.ts";
import { seededRandom } from "../load/seeded-random.ts";
import { pressSend } from "./browser.ts";
import { faults, untilHealthy } from "./faults.ts";
import { sendLoad } from "./load.ts";
import type { Machine } from "./machines.ts";
import { type Cluster, requirePrimary } from "./setup.ts";

/** Quiet seconds before each fault, and the longest time that a recovery may take. */
const quietSeconds = 4;
const recoverySecondsMax = 240;

interface Happened {
  name: string;
  from: number;
  to: number;
}

export async function breakCluster(
  cluster: Cluster,
  mail: Awaited<ReturnType<typeof startMailServer>>,
  { progress, signal }: Measurement,
  { rounds, only, seed }: { rounds: string; only: string; seed: string },
): Promise<Result> {
  const random = seededRandom(Number(seed));
  const parts = only.split(",");
  const unknown = parts.find((part) => !Object.keys(faults).some((name) => name.includes(part)));
  if (unknown !== undefined) throw new Error(`No fault has “${unknown}” in its name.`);
  const chosen = Object.keys(faults).filter((name) => parts.some((part) => name.includes(part)));
  const order = Array.from({ length: Number(rounds) }, () => random.shuffled(chosen)).flat();
  progress(`${order.length} faults, --seed ${seed}`);
  const findConnection = async () => {
    const { address: host } = await requirePrimary(cluster);
    const { username: user, password } = new URL(cluster.databaseUrl);
    return { host, user, password, database: "fernway", ssl: { rejectUnauthorized: false } };
  };
  const query = queryWhenUp(findConnection);
  const pool = new pg.Pool(await findConnection());
  await seedRows(pool);
  await pool.end();

  const memoryBefore = await readMemory(cluster);
  const happened: Happened[] = [];
  const interrupted: string[] = [];
  const isolated: Sent[] = [];
  const until = happen();
  const [sent, pressed] = await Promise.all([
    sendLoad({ url: `http://${cluster.web.address}`, until, signal }),
    pressSend(cluster.web.address, until),
    until,
  ]);
  const jobsLeft = await untilQueueIsEmpty(query, { progress, signal } as Measurement);

  const contacts = [...sent.contacts, ...isolated];
  const seen = Object.groupBy(pressed, ({ outcome }) => (["sent", "refused"].includes(outcome) ? outcome : "wrong"));
  const accepted = [...contacts.filter(({ isRight }) => isRight), ...(seen.sent ?? [])];
  const acknowledged = new Set(accepted.map(({ email }) => email));
  const rows = await query<{ id: string; email: string }>(
    "select id, email from public.contacts where email like '%@bench.example'",
  );
  const stored = new Set(rows.map(({ email }) => email));
  const { mustBeZero, repeats } = reportContacts({ acknowledged, rows, mails: mail.mails, interrupted });
  const table = Object.fromEntries(
    chosen.map((name) => [name, describe(happened.filter((each) => each.name === name))]),
  );
  console.table(table);
  const exits = await sumOf(cluster, "journalctl --unit=fernway | grep --count 'Main process exited' || true");
  const kills = happened.filter(({ name }) => name === "kill -9 of a site").length;
  const refused = chosen.filter((name) => faults[name]?.refusesNone && (table[name]?.refused ?? 0) > 0);
  return {
    figures: {
      seed,
      faults: happened.length,
      "contacts sent": contacts.length + pressed.length,
      "answered with success": acknowledged.size,
      "pages not served": sent.pages.filter(({ isRight }) => !isRight).length,
      "inbox not read": sent.inbox.filter(({ isRight }) => !isRight).length,
      "sent in a browser": seen.sent?.length ?? 0,
      "refused in a browser, everything still filled in": seen.refused?.length ?? 0,
      "longest wait in a browser, s": Number(Math.max(0, ...pressed.map(({ seconds }) => seconds)).toFixed(1)),
      "written on a former primary": isolated.length,
      "accepted by it": isolated.filter(({ isRight }) => isRight).length,
      ...mustBeZero,
      "announced again, site lost at the reply": repeats.serverKilled,
      "jobs left": jobsLeft,
      "sites that ended by themselves": exits - kills,
      "memory of both sites before and after, MB": `${memoryBefore}, ${await readMemory(cluster)}`,
    },
    mustBeZero: { ...mustBeZero, "jobs left": jobsLeft, "sites that ended by themselves": exits - kills },
    problems: [
      ...refused.map((name) => `Contacts were refused: ${name}.`),
      ...(seen.wrong ?? []).map(({ outcome }) => `In a browser: ${outcome}`),
    ],
  };

  async function happen() {
    const searches: Promise<void>[] = [];
    const tools = { random, wait, writeOn, lostSite };
    for (const [index, name] of order.entries()) {
      await wait(quietSeconds);
      progress(`${index + 1} of ${order.length}: ${name}`);
      const fault = { name, from: performance.now(), to: 0 };
      await faults[name]?.happen(cluster, tools);
      await untilHealthy(cluster, AbortSignal.any([signal, AbortSignal.timeout(recoverySecondsMax * 1000)]));
      fault.to = performance.now();
      happened.push(fault);
      await ageContacts(cluster);
    }
    await wait(quietSeconds);
    await Promise.all(searches);

    /** While the primary is away, no site takes over the jobs of another: the search waits for it. */
    function lostSite() {
      searches.push(findInterrupted(query, new Date()).then((found) => void interrupted.push(...found)));
    }
  }

  async function wait(seconds: number) {
    await pause(seconds * 1000, undefined, { signal });
  }

  /** Writes contacts on a machine itself: what it says it has stored must be there later. */
  async function writeOn(machine: Machine, during: Promise<void>) {
    let isOver = false;
    during.finally(() => (isOver = true)).catch(() => {});
    while (!isOver) {
      const { name, company, email, interest } = newContact(`isolated-${isolated.length}`);
      const insert = `insert into public.contacts (name, company, email, interest) values ('${name}', '${company}', '${email}', '${interest}')`;
      const sentAt = performance.now();
      const isRight = await machine.run(`timeout 3 sudo -u postgres psql fernway --command "${insert}"`).then(
        () => true,
        () => false,
      );
      isolated.push({ email, plannedAt: sentAt, sentAt, answeredAt: performance.now(), status: 0, isRight });
      await wait(0.2);
    }
    await during;
  }

  function describe(times: readonly Happened[]) {
    const outages = times.map(({ from, to }) => {
      const during = sentDuring(sent.contacts, from, to);
      const answers = during.filter(({ isRight }) => isRight).map(({ answeredAt }) => answeredAt);
      const moments = [from, ...answers.filter((at) => at > from), to].toSorted((a, b) => a - b);
      const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
      return { during, longestGap: Math.max(...gaps) / 1000 };
    });
    const during = outages.flatMap((each) => each.during);
    const accepted = during.filter(({ isRight }) => isRight);
    const gaps = outages.map(({ longestGap }) => longestGap);
    return {
      times: times.length,
      "s without an accepted contact": Number(quantile(gaps, 0.5).toFixed(1)),
      "at most": Number(quantile(gaps, 1).toFixed(1)),
      sent: during.length,
      accepted: accepted.length,
      refused: during.length - accepted.length,
      "by status": statusesOf(during),
      "slowest accepted, s": slowestSeconds(accepted),
      "slowest page, s": slowestSeconds(times.flatMap(({ from, to }) => sentDuring(sent.pages, from, to))),
      lost: accepted.filter(({ email }) => !stored.has(email)).length,
    };
  }
}

function sentDuring(sent: readonly Sent[], from: number, to: number): Sent[] {
  return sent.filter(({ plannedAt }) => plannedAt >= from - 1000 && plannedAt <= to);
}

function slowestSeconds(sent: readonly Sent[]): number {
  const slowest = sent.reduce((most, { plannedAt, answeredAt }) => Math.max(most, answeredAt - plannedAt), 0);
  return Number((slowest / 1000).toFixed(1));
}

/** So that the contacts of an hour stay few: each announcement passes over all of them. */
async function ageContacts(cluster: Cluster) {
  const update = `set session_replication_role = replica;
    update public.contacts set submitted_at = submitted_at - interval '1 day'
    where submitted_at between now() - interval '1 hour' and now() - interval '1 minute'`;
  await (await requirePrimary(cluster)).write(update, "sudo -u postgres psql fernway --quiet");
}

async function readMemory(cluster: Cluster): Promise<number> {
  const kilobytes = await sumOf(
    cluster,
    "ps --no-headers --format rss --pid $(systemctl show --value --property=MainPID fernway)",
  );
  return Math.round(kilobytes / 1024);
}

/** Of the numbers that a command prints on each site. */
async function sumOf({ sites }: Cluster, command: string): Promise<number> {
  const printed = await Promise.all(sites.map((site) => site.run(command)));
  return printed.reduce((sum, text) => sum + Number(text), 0);
}

function statusesOf(sent: readonly Sent[]): string {
  const refused = Object.groupBy(
    sent.filter(({ isRight }) => !isRight),
    ({ status }) => status,
  );
  return Object.entries(refused)
    .map(([status, each]) => `${status}: ${each?.length}`)
    .join(", ");
}
