/**
 * `npm run bench:guessing`: how many of 10,000 password guesses against one account are checked, and can its owner sign
 * in during the attack? Starts the server with an empty embedded PostgreSQL. The owner signs in once from a known
 * address (127.1.0.1); then the guesses come from 200 addresses of 127.0.0.0/8 in turn, 20 at a time. Meanwhile the
 * owner signs in twelve times from the known address and twelve times from a new address. Uses loopback only and ends
 * after ten minutes at the latest.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";
import { createAccount } from "./load/create-account.ts";

const { values: options } = parseArgs({
  options: { guesses: { type: "string", default: "10000" }, addresses: { type: "string", default: "200" } },
});
const guessesTotal = Number(options.guesses);
const addresses = Number(options.addresses);
const guessesAtOnce = 20;
const minutesMax = 10;

/**
 * After so many guesses the owner signs in, twelve times in all. Each time sends two requests from the known address,
 * and the server accepts 30 at once from one address, however fast the machine is (docs/protocol.md#request-limits).
 */
const guessesPerSignIn = Math.max(1, Math.floor(guessesTotal / 12));

const account = "owner@example.com";
const password = "a horse that nobody guesses";
const knownAddress = "127.1.0.1";

const dataDir = await mkdtemp(join(tmpdir(), "guessing-"));
const site = await startSite({ dataDir, environment: { HOST: "127.0.0.1", AUTH_LIMITS: "on", LOG_LEVEL: "error" } });
const tally = { sent: 0, checked: 0, refused: 0, guessed: 0, other: 0 };
const owner = { known: 0, fresh: 0, signIns: 0, slowestMilliseconds: 0 };
const started = performance.now();

try {
  await createAccount(dataDir, { email: account, password });
  if ((await signIn(knownAddress, password)) !== 200) throw new Error("The owner cannot sign in before the attack.");
  await guessAll();
  await report();
} finally {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function guessAll() {
  let next = 0;
  let ownerSignIns = Promise.resolve();
  const guesser = async () => {
    while (next < guessesTotal && performance.now() - started < minutesMax * 60_000) {
      const number = next++;
      count(await signIn(addressOf(number % addresses), `guess ${number}`));
      if (tally.sent % guessesPerSignIn === 0) ownerSignIns = ownerSignIns.then(signInAsOwner);
      if (tally.sent % 100 === 0) process.stdout.write(`\r${tally.sent} of ${guessesTotal} guesses `);
    }
  };
  await Promise.all(Array.from({ length: guessesAtOnce }, guesser));
  await ownerSignIns;
}

function count(status: number) {
  tally.sent += 1;
  if (status === 400) tally.checked += 1;
  else if (status === 429) tally.refused += 1;
  else if (status === 200) tally.guessed += 1;
  else tally.other += 1;
}

/** The address of an attacker: 127.0.1.1 and so on. */
function addressOf(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

/** The owner signs in from the known address and from a new network, each time after one mistyped password. */
async function signInAsOwner() {
  owner.signIns += 1;
  const fresh = `127.2.${Math.floor(owner.signIns / 250)}.${1 + (owner.signIns % 250)}`;
  for (const [network, address] of [
    ["known", knownAddress],
    ["fresh", fresh],
  ] as const) {
    await signIn(address, "a hrose that nobody guesses");
    const started = performance.now();
    if ((await signIn(address, password)) === 200) owner[network] += 1;
    owner.slowestMilliseconds = Math.max(owner.slowestMilliseconds, Math.round(performance.now() - started));
  }
}

function signIn(localAddress: string, attempt: string): Promise<number> {
  return new Promise((resolve) => {
    const call = request(`http://127.0.0.1:${site.port}/auth/v1/token?grant_type=password`, {
      method: "POST",
      localAddress,
      headers: { apikey: defaultPublicKey, "content-type": "application/json" },
      timeout: 10_000,
    });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(0));
    call.end(JSON.stringify({ email: account, password: attempt }));
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
    "failed sign-ins in the log, with the owner's typing errors": failures,
    "owner signed in from the known address": `${owner.known} of ${owner.signIns}`,
    "owner signed in from fresh addresses": `${owner.fresh} of ${owner.signIns}`,
    "owner's slowest sign-in, ms": owner.slowestMilliseconds,
    seconds: Math.round((performance.now() - started) / 1000),
  });
  if (tally.guessed > 0 || owner.known < owner.signIns || owner.fresh < owner.signIns) process.exitCode = 1;
}
