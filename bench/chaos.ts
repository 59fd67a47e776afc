/**
 * `npm run chaos`: does a contact that was answered with success survive SIGKILL of everything, and is none stored twice?
 * Sends contacts 16 at a time, each again until it is answered with success, as a patient visitor would, while server
 * and PostgreSQL are killed in turn. Talks to 127.0.0.1 only; ends by itself.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded";
import { startSite } from "#tests/support/site";

const { values: size } = parseArgs({
  options: { contacts: { type: "string", default: "1000" }, kills: { type: "string", default: "10" } },
});
const contactsInAll = Number(size.contacts);
const killsInAll = Number(size.kills);
const atATime = 16;
/** Contacts that must arrive between two kills, so that each of them hits a running server. */
const betweenKills = Math.floor(contactsInAll / (killsInAll + 2));
const triesMax = 400;

const dataDir = await mkdtemp(join(tmpdir(), "chaos-"));
const tally = { accepted: 0, retried: 0, refused: 0, gaveUp: 0 };
let site = await startSite({ dataDir });

const started = performance.now();
const killer = killInTurn();
await sendAll();
const kills = await killer;
await report();
await site.stop();
await rm(dataDir, { recursive: true, force: true });

async function sendAll() {
  let next = 0;
  const sender = async () => {
    while (next < contactsInAll) {
      const number = next++;
      await sendUntilAccepted(number);
      if (tally.accepted % 50 === 0) process.stdout.write(`\r${tally.accepted} of ${contactsInAll} accepted `);
      await pause(100);
    }
  };
  await Promise.all(Array.from({ length: atATime }, sender));
}

async function sendUntilAccepted(number: number) {
  for (let tries = 0; tries < triesMax; tries++) {
    const status = await send(number);
    if (status === 201) {
      tally.accepted += 1;
      return;
    }
    if (status >= 400 && status < 500) tally.refused += 1;
    tally.retried += 1;
    await pause(50);
  }
  tally.gaveUp += 1;
}

async function send(number: number): Promise<number> {
  try {
    const answer = await fetch(`${site.url}/rest/v1/contacts`, {
      method: "POST",
      headers: { apikey: "sb_publishable_embedded", "content-type": "application/json" },
      body: JSON.stringify({
        name: `Visitor ${number}`,
        company: "Chaos",
        email: `visitor-${number}@chaos.example`,
        interest: "consulting",
      }),
      signal: AbortSignal.timeout(5_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** First the server, then PostgreSQL, and so on; each kill waits until contacts flow again. */
async function killInTurn() {
  const done = { server: 0, postgres: 0 };
  for (let kill = 0; kill < killsInAll; kill++) {
    await untilFlowing();
    if (kill % 2 === 0) {
      await site.kill();
      site = await startSite({ dataDir, port: site.port });
      done.server += 1;
    } else {
      process.kill(await postmasterPid(), "SIGKILL");
      done.postgres += 1;
    }
  }
  return done;
}

async function untilFlowing() {
  const before = tally.accepted;
  const target = Math.min(before + betweenKills, contactsInAll);
  while (tally.accepted < target) await pause(20);
}

async function postmasterPid(): Promise<number> {
  const [pid = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(pid);
}

async function report() {
  const db = new pg.Client(await embeddedConnection(dataDir));
  await db.connect();
  const { rows } = await db.query<{ email: string; stored: number }>(
    "select email, count(*)::int as stored from contacts group by email",
  );
  await db.end();

  const lost = tally.accepted - rows.length;
  const doubled = rows.filter((row) => row.stored > 1).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write("\r");
  console.table({
    ...tally,
    stored: rows.length,
    lost,
    doubled,
    "server killed": kills.server,
    "PostgreSQL killed": kills.postgres,
    seconds,
  });
  if (lost !== 0 || doubled !== 0 || tally.gaveUp !== 0 || kills.server + kills.postgres < killsInAll)
    process.exitCode = 1;
}
