import { fileURLToPath } from "node:url";
import pg from "pg";
import { createAccount } from "../load/create-account.ts";
import { quantile } from "../load/quantile.ts";
import { contactRequest, publicAddress, type Sent, sendAtRate } from "../load/requests.ts";
import { compareSides, type Run, startBenchSite } from "./comparison.ts";
import { connections, distinctRequests, runProgram, wrk } from "./programs.ts";

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
  const { url, connection, dataDir } = await startBenchSite(run);
  await createAccount(dataDir, { email: emailOf(0), password });
  const hash = await copyAccount(connection);
  const script = distinctRequests({ email: emailOf("%d"), password }, { count: accounts });
  // 16 at once are more than the server hashes at a time, and fewer than it lets wait.
  const load = { url: `${url}/auth/v1/token?grant_type=password`, atOnce: connections, script };
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
    return { median: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
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
  const duringSignIns = { ours: "during sign-ins", rival: "without sign-ins", unit: " ms" } as const;
  return compareSides(run, sides, [
    { question: "sign-ins", rival: "bare hashing on all processors", goal: { ratioAtLeast: 0.85 } },
    { ...duringSignIns, question: "other requests during sign-ins, median", figure: "median" },
    {
      ...duringSignIns,
      question: "other requests during sign-ins, 99th percentile",
      figure: "p99",
      goal: { ratioBelow: 3 },
    },
  ]);
}

/** Creates all accounts with the hash of the first one, and returns that hash. */
async function copyAccount(connection: pg.PoolConfig): Promise<string> {
  const owner = new pg.Pool(connection);
  const { rows } = await owner.query<{ hash: string }>(
    `insert into auth.users (email, encrypted_password, email_confirmed_at)
     select replace(email, '-0@', '-' || n || '@'), encrypted_password, email_confirmed_at
     from auth.users, generate_series(1, $1::int - 1) n returning encrypted_password as hash`,
    [accounts],
  );
  await owner.end();
  return rows[0]?.hash ?? "";
}

function waitOf({ plannedAt, answeredAt, isRight, status }: Sent): number {
  if (!isRight) throw new Error(`A page or contact was answered with ${status}.`);
  return answeredAt - plannedAt;
}
