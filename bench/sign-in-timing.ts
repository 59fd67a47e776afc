/**
 * `node bench/sign-in-timing.ts`: does the time of a refused sign-in tell whether an address has an account? Asks 200
 * times with an unknown address and 200 times with a wrong password, in turns, over HTTP on 127.0.0.1, and prints both
 * medians and the spread. The real database, hash and service; nothing else runs in the process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { createConfirmedAccount } from "#server/auth/accounts";
import { authApi } from "#server/auth/auth-api";
import { loadSigningKeys } from "#server/auth/signing-keys";
import { openDatabase } from "#server/database/database";
import { inTransaction } from "#server/database/transaction";

const rounds = 200;
const warmUp = 20;
const publicKey = "sb_publishable_embedded";
const member = "member@example.com";
const silent = { info() {}, warn() {}, error: console.error };

const dataDir = await mkdtemp(join(tmpdir(), "sign-in-timing-"));
const database = await openDatabase({ dataDir }, silent);
await inTransaction(database.owner, (db) =>
  createConfirmedAccount(db, { email: member, password: "correct horse", charactersMin: 8 }),
);

const app = Fastify();
app.register(
  authApi({
    owner: database.owner,
    keys: await loadSigningKeys(database.owner),
    publicKey,
    siteUrl: "http://localhost:3000",
    redirectUrls: [],
    signUps: "open",
    auditDays: 90,
    autoconfirm: false,
    limits: false,
    mailsPerHourMax: 100,
  }),
  { prefix: "/auth/v1" },
);
const url = await app.listen({ host: "127.0.0.1", port: 0 });

const unknown: number[] = [];
const wrong: number[] = [];
for (let round = -warmUp; round < rounds; round++) {
  // Whichever goes first changes from round to round: the second may find something warm.
  const asks = [
    [unknown, `nobody-${round}@example.com`],
    [wrong, member],
  ] as const;
  for (const [times, email] of round % 2 ? asks : asks.toReversed()) {
    const time = await timeOf(email);
    if (round >= 0) times.push(time);
  }
}
report("unknown address", unknown);
report("wrong password", wrong);

await app.close();
await database.close();
await rm(dataDir, { recursive: true });

async function timeOf(email: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publicKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: "wrong horse" }),
  });
  const body = await answer.text();
  const elapsed = performance.now() - started;
  if (answer.status !== 400 || !body.includes("invalid_credentials")) throw new Error(body);
  return elapsed;
}

function report(what: string, times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2).padStart(7);
  console.log(`${what.padEnd(16)} n=${times.length}  median ${at(0.5)} ms  (5% ${at(0.05)}, 95% ${at(0.95)})`);
}
