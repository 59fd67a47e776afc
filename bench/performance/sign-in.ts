import { fileURLToPath } from "node:url";
import pg from "pg";
import { createConfirmedAccount } from "#backend/auth/operator-accounts";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { inTransaction } from "#backend/database/transaction";
import { quantile } from "../load/quantile.ts";
import { contactRequest, publicAddress, type Sent, sendAtRate } from "../load/requests.ts";
import { compareSides, type Run, startBenchSite } from "./comparison.ts";
import { distinctRequests, runProgram, wrk } from "./programs.ts";

const bareHashing = fileURLToPath(new URL("./rivals/bare-hashing.mjs", import.meta.url));
const password = "a long walk in the woods";
const emailOf = (number: number | "%d") => `member-${number}@bench.example`;
/** Enough that the limit per network (60 at once, then one in two seconds) refuses none of them. */
const accounts = 300;
/** The rate of each of the two other requests. */
const othersPerSecond = 20;
/** The other requests are measured this many times longer: in one round they are too few for a 99th percentile. */
const othersRounds = 4;

/**
 * How many sign-ins a second does the server answer, beside a bare process that only compares the same Argon2id hash on
 * all processors? And how much longer do other requests take meanwhile than alone? Each account signs in from a network
 * of its own.
 */
export async function signIns(run: Run) {
  const { url, connection } = await startBenchSite(run);
  const hash = await createAccounts(connection);
  const script = distinctRequests({ email: emailOf("%d"), password }, { count: accounts });
  // 16 at once are more than the server hashes at a time, and fewer than it lets wait.
  const load = { url: `${url}/auth/v1/token?grant_type=password`, atOnce: 16, script };
  const signInAll = (seconds: number) => wrk(run, { ...load, seconds });
  let sent = accounts;
  const others = async (seconds: number) => {
    const rate = { perSecond: othersPerSecond, seconds, signal: run.signal };
    const first = sent;
    sent += seconds * othersPerSecond;
    const answers = await Promise.all([
      sendAtRate(rate, (number) => contactRequest(url, first + number)),
      sendAtRate(rate, (number) => ({ url, init: { headers: { "x-forwarded-for": publicAddress(first + number) } } })),
    ]);
    const waits = answers.flat().map(waitOf);
    return { median: quantile(waits), p99: quantile(waits, 0.99) };
  };
  const hashing = async (seconds: number) => {
    const printed = await runProgram(run, [process.execPath, bareHashing, hash, password, `${seconds}`]);
    return { perSecond: Number(printed) };
  };
  const sides = {
    "bare hashing on all processors": hashing,
    "sign-ins": signInAll,
    "without sign-ins": (seconds: number) => others(seconds * othersRounds),
    async "during sign-ins"(seconds: number) {
      const [times] = await Promise.all([others(seconds * othersRounds), signInAll(seconds * othersRounds + 1)]);
      return times;
    },
  };
  const beside = (figure: "median" | "p99") =>
    ({ ours: ["during sign-ins", figure], rival: ["without sign-ins", figure], unit: " ms" }) as const;
  return compareSides(run, sides, [
    {
      question: "sign-ins",
      ours: ["sign-ins", "perSecond"],
      rival: ["bare hashing on all processors", "perSecond"],
      unit: "/s",
      atLeast: 0.85,
    },
    { question: "other requests during sign-ins, median", ...beside("median") },
    { question: "other requests during sign-ins, 99th percentile", ...beside("p99"), below: 3 },
  ]);
}

/** All have one password, and so one hash, which is returned. */
async function createAccounts(connection: pg.PoolConfig): Promise<string> {
  const passwordHash = await passwordHasher().hash(password);
  const owner = new pg.Pool(connection);
  for (let number = 0; number < accounts; number++)
    await inTransaction(owner, (db) => createConfirmedAccount(db, { email: emailOf(number), passwordHash }));
  await owner.end();
  return passwordHash;
}

function waitOf({ plannedAt, answeredAt, isRight, status }: Sent): number {
  if (!isRight) throw new Error(`A page or contact was answered with ${status}.`);
  return answeredAt - plannedAt;
}
