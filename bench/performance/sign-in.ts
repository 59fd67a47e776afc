import { execFile } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import type { OwnerConnection } from "#server/database/embedded/embedded-postgres";
import { inTransaction } from "#server/database/transaction";
import { defaultPublicKey } from "#server/settings";
import { closedLoop, openLoop } from "../load/loops.ts";
import { quantile } from "../load/quantile.ts";
import { publicAddress } from "../load/requests.ts";
import { compare } from "./row.ts";
import { alternate, type Run } from "./run.ts";
import { startBenchSite } from "./site.ts";

const bareHashing = fileURLToPath(new URL("./bare-hashing.mjs", import.meta.url));
const password = "a long walk in the woods";
/** Enough that the limit per network (30 at once, then one in two seconds) refuses none of them. */
const accounts = 300;
/** More than the server hashes at once, and fewer than it lets wait. */
const atOnce = 16;
/** The rate of each of the two other requests. */
const othersPerSecond = 20;
/** The other requests are measured this many times longer: in one round they are too few for a 99th percentile. */
const othersRounds = 4;

/**
 * How many sign-ins a second does the server answer, beside a bare process that only compares the same Argon2id hash on
 * all processors? And how much longer do other requests take meanwhile than alone? Each account signs in from a network
 * of its own.
 */
export async function signIn(run: Run) {
  const { url, connection } = await startBenchSite(run);
  const hash = await createAccounts(connection);
  const load = createLoad(Number(new URL(url).port));
  // The first sign-in of each account makes its network known.
  await load.signInAll();
  const figures = await alternate(run, {
    hashing: (seconds) => hashBare(hash, seconds),
    "sign-ins": load.signIns,
    "others alone": (seconds) => load.others(seconds * othersRounds),
    async "others during sign-ins"(seconds) {
      const othersSeconds = seconds * othersRounds;
      const [others] = await Promise.all([load.others(othersSeconds), load.signIns(othersSeconds + 0.5)]);
      return others;
    },
  });

  const others = (name: string, share: number, goal?: { ratioBelow: number }) =>
    compare({
      question: `other requests during sign-ins, ${name}`,
      unit: "ms",
      ours: figures["others during sign-ins"].map((times) => quantile(times, share)),
      rival: { name: "without sign-ins", figures: figures["others alone"].map((times) => quantile(times, share)) },
      ...(goal && { goal }),
    });
  return [
    compare({
      question: "sign-ins",
      unit: "/s",
      ours: figures["sign-ins"],
      rival: { name: "bare hashing on all processors", figures: figures.hashing },
      goal: { ratioAtLeast: 0.9 },
    }),
    others("median", 0.5),
    others("99th percentile", 0.99, { ratioBelow: 2 }),
  ];
}

/** Creates the accounts and returns the hash of their password. */
async function createAccounts(connection: OwnerConnection): Promise<string> {
  const database = new pg.Pool({ ...connection, max: 1 });
  const options = { hasher: passwordHasher(), charactersMin: 8 };
  const { passwordHash } = await hashCredentials({ email: emailOf(0), password }, options);
  for (let number = 0; number < accounts; number++) {
    await inTransaction(database, (db) => createConfirmedAccount(db, { email: emailOf(number), passwordHash }));
  }
  await database.end();
  return passwordHash;
}

function emailOf(number: number): string {
  return `member-${number}@bench.example`;
}

async function hashBare(hash: string, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [bareHashing, hash, password, `${seconds}`]);
  return Number(stdout);
}

function createLoad(port: number) {
  const agent = new Agent({ keepAlive: true });
  let nextAccount = 0;
  let nextContact = 0;

  async function signInNext() {
    const number = nextAccount++ % accounts;
    const body = JSON.stringify({ email: emailOf(number), password });
    await send(200, "/auth/v1/token?grant_type=password", publicAddress(number), body);
  }

  /** Sends one request, and resolves when its answer has arrived. */
  function send(status: number, path: string, address: string, body?: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { apikey: defaultPublicKey, "content-type": "application/json", "x-forwarded-for": address };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, agent, path, method, headers }, (answer) => {
      answer.resume().once("end", () => {
        if (answer.statusCode === status) resolve();
        else reject(new Error(`${method} ${path} answered with ${answer.statusCode}.`));
      });
    });
    sent.once("error", reject).end(body);
    return promise;
  }

  async function timed(planned: number, work: Promise<void>): Promise<number> {
    await work;
    return performance.now() - planned;
  }

  return {
    async signInAll() {
      while (nextAccount < accounts) await Promise.all(Array.from({ length: atOnce }, signInNext));
    },

    /** Resolves with the sign-ins in a second. */
    signIns: (seconds: number) => closedLoop(atOnce, seconds, signInNext),

    /** Requests a page and stores a contact at fixed times. Each contact has a sender of its own. */
    async others(seconds: number): Promise<number[]> {
      const times = await openLoop(seconds * othersPerSecond, othersPerSecond, (planned) => {
        const sender = accounts + nextContact++;
        const contact = { name: "Ada", company: "Engines", email: `visitor-${sender}@bench.example` };
        const body = JSON.stringify({ ...contact, interest: "consulting" });
        return Promise.all([
          timed(planned, send(200, "/", publicAddress(sender))),
          timed(planned, send(201, "/rest/v1/contacts", publicAddress(sender), body)),
        ]);
      });
      return times.flat();
    },
  };
}
