/**
 * `npm run bench:known`: does the response time reveal whether an address has an account? Sends each request 200 times
 * with an address that has an account and 200 times with an address without one, alternating, over HTTP on 127.0.0.1.
 * Prints medians and spread. Database, password hash and auth service are real; nothing else runs, mails stay queued.
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
import { secretKeys } from "#server/secret-keys";
import { defaultPublicKey, readSettings } from "#server/settings";
import { quantile } from "./load/quantile.ts";
import { jsonRequest } from "./load/requests.ts";

const rounds = 200;
const warmUp = 20;
const knownEmail = "member@example.com";
const silent = { info() {}, warn() {}, error: console.error };

const requests = [
  { name: "sign-up", path: "/signup", body: { password: "another horse" }, status: 200 },
  { name: "sign-in", path: "/token?grant_type=password", body: { password: "wrong horse" }, status: 400 },
  { name: "recover", path: "/recover", body: {}, status: 200 },
  { name: "resend", path: "/resend", body: { type: "signup" }, status: 200 },
  { name: "code", path: "/verify", body: { token: "000000", type: "recovery" }, status: 403 },
] as const;
type AuthRequest = (typeof requests)[number];

const dataDir = await mkdtemp(join(tmpdir(), "account-enumeration-"));
const database = await openDatabase({ dataDir }, silent);
const credentials = await hashCredentials(
  { email: knownEmail, password: "correct horse" },
  { hasher: passwordHasher(), charactersMin: 8 },
);
await inTransaction(database.owner, (db) => createConfirmedAccount(db, credentials));

/**
 * How far the server's clock is ahead of the real time. Each request moves it on by 61 seconds, because an address gets
 * only one mail a minute.
 */
let aheadSeconds = 0;
const app = Fastify();
app.register(
  authApi({
    owner: database.owner,
    keys: await loadSigningKeys(database.owner),
    secretKeys: secretKeys(readSettings({})),
    publicKey: defaultPublicKey,
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
for (const request of requests) {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    // The order of the two requests alternates, because the second one may be faster thanks to warm caches.
    const pair = [
      [unknown, `unknown.${round + warmUp + 100}@example.com`],
      [known, knownEmail],
    ] as const;
    for (const [times, email] of round % 2 ? pair : pair.toReversed()) {
      aheadSeconds += 61;
      const milliseconds = await timeOf(request, email);
      if (round >= 0) times.push(milliseconds);
    }
  }
  // After a sign-up, an unknown address has an account. Delete these accounts before the next kind of request.
  await database.owner.query("delete from auth.users where email <> $1", [knownEmail]);
  report(request.name, known, unknown);
}

await app.close();
await database.close();
await rm(dataDir, { recursive: true });

async function timeOf({ path, body, status }: AuthRequest, email: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/auth/v1${path}`, jsonRequest({ email, ...body }));
  const text = await answer.text();
  const elapsed = performance.now() - started;
  if (answer.status !== status) throw new Error(text);
  return elapsed;
}

function report(name: string, known: readonly number[], unknown: readonly number[]) {
  const difference = (quantile(known, 0.5) - quantile(unknown, 0.5)).toFixed(2);
  console.log(
    `${name.padEnd(10)}${summarise(known).padStart(26)}${summarise(unknown).padStart(28)}${difference.padStart(11)} ms`,
  );
}

function summarise(times: readonly number[]): string {
  return `${quantile(times, 0.5).toFixed(2)} ms (${quantile(times, 0.05).toFixed(1)} to ${quantile(times, 0.95).toFixed(1)})`;
}
