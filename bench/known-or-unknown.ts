/**
 * `npm run bench:known`: does the time of an answer tell whether an address has an account? Asks each question 200 times
 * with an address that has one and 200 times with one that has none, in turns, over HTTP on 127.0.0.1, and prints medians
 * and spread. The real database, hash and service; nothing else runs in the process, and mails stay in the queue.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { authApi } from "#server/auth/auth-api";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { loadSigningKeys } from "#server/auth/tokens/signing-keys";
import { openDatabase } from "#server/database/open-database";
import { inTransaction } from "#server/database/transaction";
import { defaultPublicKey } from "#server/settings";

const rounds = 200;
const warmUp = 20;
const publicKey = defaultPublicKey;
const member = "somebody@example.com";
const silent = { info() {}, warn() {}, error: console.error };

const questions = [
  { what: "sign-up", path: "/signup", body: { password: "another horse" }, status: 200 },
  { what: "sign-in", path: "/token?grant_type=password", body: { password: "wrong horse" }, status: 400 },
  { what: "recover", path: "/recover", body: {}, status: 200 },
  { what: "resend", path: "/resend", body: { type: "signup" }, status: 200 },
  { what: "code", path: "/verify", body: { token: "000000", type: "recovery" }, status: 403 },
] as const;
type Question = (typeof questions)[number];

const dataDir = await mkdtemp(join(tmpdir(), "known-or-unknown-"));
const database = await openDatabase({ dataDir }, silent);
const credentials = await hashCredentials(
  { email: member, password: "correct horse" },
  { hasher: passwordHasher(), charactersMin: 8 },
);
await inTransaction(database.owner, (db) => createConfirmedAccount(db, credentials));

/** Each mail to the one known address waits for a minute: the minutes pass between the questions. */
let aheadSeconds = 0;
const app = Fastify();
app.register(
  authApi({
    owner: database.owner,
    keys: await loadSigningKeys(database.owner),
    publicKey,
    siteUrl: "http://localhost:3000",
    redirectUrls: [],
    signUps: "open",
    sessionIdleDays: 30,
    sessionMaxDays: 365,
    auditDays: 90,
    autoconfirm: false,
    limits: false,
    mailsPerHourMax: 1_000_000,
    now: () => new Date(Date.now() + aheadSeconds * 1000),
  }),
  { prefix: "/auth/v1" },
);
const url = await app.listen({ host: "127.0.0.1", port: 0 });

console.log(`${"".padEnd(10)}${"known".padStart(26)}${"unknown".padStart(28)}${"difference".padStart(14)}`);
for (const question of questions) {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    // Whichever goes first changes from round to round: the second may find something warm.
    const asks = [
      [unknown, `nobody.${round + warmUp + 100}@example.com`],
      [known, member],
    ] as const;
    for (const [times, email] of round % 2 ? asks : asks.toReversed()) {
      aheadSeconds += 61;
      const milliseconds = await timeOf(question, email);
      if (round >= 0) times.push(milliseconds);
    }
  }
  // Those who signed up as unknown are known from now on.
  await database.owner.query("delete from auth.users where email <> $1", [member]);
  report(question.what, known, unknown);
}

await app.close();
await database.close();
await rm(dataDir, { recursive: true });

async function timeOf({ path, body, status }: Question, email: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/auth/v1${path}`, {
    method: "POST",
    headers: { apikey: publicKey, "content-type": "application/json" },
    body: JSON.stringify({ email, ...body }),
  });
  const text = await answer.text();
  const elapsed = performance.now() - started;
  if (answer.status !== status) throw new Error(text);
  return elapsed;
}

function report(what: string, known: readonly number[], unknown: readonly number[]) {
  const difference = (at(known, 0.5) - at(unknown, 0.5)).toFixed(2);
  console.log(
    `${what.padEnd(10)}${inWords(known).padStart(26)}${inWords(unknown).padStart(28)}${difference.padStart(11)} ms`,
  );
}

function inWords(times: readonly number[]): string {
  return `${at(times, 0.5).toFixed(2)} ms (${at(times, 0.05).toFixed(1)} to ${at(times, 0.95).toFixed(1)})`;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
