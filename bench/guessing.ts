/**
 * `npm run bench:guessing`: what do 10,000 guesses against one account get, and can its owner sign in meanwhile? Starts
 * the real server with an empty embedded PostgreSQL, lets the owner sign in once at home (127.1.0.1), and then guesses
 * from 200 addresses of 127.0.0.0/8 in turn, 20 at a time. Now and then the owner signs in, at home and from an address
 * that was never seen before. Talks to 127.0.0.1 only; ends by itself, after ten minutes at the latest.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";

const { values: size } = parseArgs({
  options: { guesses: { type: "string", default: "10000" }, addresses: { type: "string", default: "200" } },
});
const guessesInAll = Number(size.guesses);
const addresses = Number(size.addresses);
const atATime = 20;
const minutesMax = 10;

/** Between two sign-ins of the owner, which are two tries apart from the guesses. */
const betweenVisits = Math.max(1, Math.floor(guessesInAll / 20));

const account = "owner@example.com";
const password = "a horse that nobody guesses";
const home = "127.1.0.1";

const dataDir = await mkdtemp(join(tmpdir(), "guessing-"));
const site = await startSite({ dataDir, environment: { HOST: "127.0.0.1", AUTH_LIMITS: "on", LOG_LEVEL: "error" } });
const tally = { sent: 0, checked: 0, refused: 0, guessed: 0, other: 0 };
const owner = { home: 0, fresh: 0, visits: 0, slowestMilliseconds: 0 };
const started = performance.now();

try {
  await makeAccount();
  if ((await signIn(home, password)) !== 200) throw new Error("The owner cannot sign in before the attack.");
  await guessAll();
  await report();
} finally {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function makeAccount() {
  const creating = promisify(execFile)(
    process.execPath,
    ["server/cli/admin.ts", "create", account, "--password-stdin"],
    { env: { ...process.env, DATA_DIR: dataDir } },
  );
  creating.child.stdin?.end(`${password}\n`);
  await creating;
}

async function guessAll() {
  let next = 0;
  let visiting = Promise.resolve();
  const guesser = async () => {
    while (next < guessesInAll && performance.now() - started < minutesMax * 60_000) {
      const number = next++;
      count(await signIn(addressOf(number % addresses), `guess ${number}`));
      if (tally.sent % betweenVisits === 0) visiting = visiting.then(visit);
      if (tally.sent % 100 === 0) process.stdout.write(`\r${tally.sent} of ${guessesInAll} guesses `);
    }
  };
  await Promise.all(Array.from({ length: atATime }, guesser));
  await visiting;
}

function count(status: number) {
  tally.sent += 1;
  if (status === 400) tally.checked += 1;
  else if (status === 429) tally.refused += 1;
  else if (status === 200) tally.guessed += 1;
  else tally.other += 1;
}

/** Where an attacker sits: 127.0.1.1 and so on. */
function addressOf(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

/** The owner at home, and on a network that the account never saw: each mistypes once before. */
async function visit() {
  owner.visits += 1;
  const fresh = `127.2.${Math.floor(owner.visits / 250)}.${1 + (owner.visits % 250)}`;
  for (const [place, address] of [
    ["home", home],
    ["fresh", fresh],
  ] as const) {
    await signIn(address, "a hrose that nobody guesses");
    const asked = performance.now();
    if ((await signIn(address, password)) === 200) owner[place] += 1;
    owner.slowestMilliseconds = Math.max(owner.slowestMilliseconds, Math.round(performance.now() - asked));
  }
}

function signIn(localAddress: string, typed: string): Promise<number> {
  return new Promise((answered) => {
    const asking = request(`http://127.0.0.1:${site.port}/auth/v1/token?grant_type=password`, {
      method: "POST",
      localAddress,
      headers: { apikey: defaultPublicKey, "content-type": "application/json" },
      timeout: 10_000,
    });
    asking.on("response", (response) => {
      response.resume();
      response.on("end", () => answered(response.statusCode ?? 0));
    });
    asking.on("timeout", () => asking.destroy());
    asking.on("error", () => answered(0));
    asking.end(JSON.stringify({ email: account, password: typed }));
  });
}

async function report() {
  const db = new pg.Client(await embeddedConnection(dataDir));
  await db.connect();
  const { rows } = await db.query<{ n: number }>(
    "select count(*)::int as n from auth.audit_log_entries where payload ->> 'action' = 'login_failed'",
  );
  await db.end();
  const failures = rows[0]?.n ?? 0;
  process.stdout.write("\r");
  console.table({
    guesses: tally.sent,
    addresses,
    "reached a password check": tally.checked,
    "refused before it": tally.refused,
    "guessed right": tally.guessed,
    "no answer": tally.other,
    "failed sign-ins in the log, the owner's slips among them": failures,
    "owner signed in at home": `${owner.home} of ${owner.visits}`,
    "owner signed in from fresh addresses": `${owner.fresh} of ${owner.visits}`,
    "owner's slowest sign-in, ms": owner.slowestMilliseconds,
    seconds: Math.round((performance.now() - started) / 1000),
  });
  if (tally.guessed > 0 || owner.home < owner.visits || owner.fresh < owner.visits) process.exitCode = 1;
}
