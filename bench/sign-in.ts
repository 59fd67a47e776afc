/**
 * `npm run bench:sign-in`: how many sign-ins a second does the server answer, beside what the processors can hash? And
 * how much longer do other requests take meanwhile? Each round measures four phases: a bare process that only compares
 * the same Argon2id hash on all processors; sign-ins as fast as they are answered; other requests alone; both together.
 * Each account signs in from a network of its own, and all limits are on. Prints medians and the spread of the ratios.
 * (`--runs`, `--seconds`)
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { inTransaction } from "#server/database/transaction";
import { defaultPublicKey } from "#server/settings";
import { startSite } from "#tests/support/site";
import { quantile } from "./load/quantile.ts";
import { publicAddress } from "./load/requests.ts";
import { compare, type Row } from "./performance/row.ts";

const hashing = fileURLToPath(new URL("./sign-in/hashing.mjs", import.meta.url));
const password = "a long walk in the woods";
/** Enough that the limit per network (30 at once, then one in two seconds) refuses none of them. */
const accounts = 300;
/** More than the server hashes at once, and fewer than it lets wait. */
const atOnce = 16;
/** The rate of each of the two other requests, sent at fixed times (open loop). */
const othersPerSecond = 20;

/** The build of `npm run bench:page`, so that only one of the commands has to make it. */
const environment = {
  ...{ SITE_URL: "http://localhost:4174", BUILD_DIR: resolve(".cache/bench-site"), LOG_LEVEL: "fatal" },
  ...{ AUTH_LIMITS: "on", TRUST_PROXY: "loopback", HOST: "127.0.0.1" },
};

interface Round {
  hashed: number;
  signedIn: number;
  /** Milliseconds of the other requests, counted from their planned times. */
  idle: readonly number[];
  during: readonly number[];
}

export async function measureSignIn({ runs = 5, seconds = 4 } = {}): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-sign-in-"));
  const site = await startSite({ dataDir: folder, environment });
  try {
    const hash = await createAccounts(folder);
    const load = createLoad(site.port);
    // The first sign-in of each account makes its network known.
    await load.signInAll();
    const rounds: Round[] = [];
    for (let run = 0; run < runs; run++) {
      const hashed = await hashBare(hash, seconds);
      const signedIn = await load.signIns(seconds);
      const idle = await load.others(seconds);
      const [during] = await Promise.all([load.others(seconds), load.signIns(seconds + 0.5)]);
      rounds.push({ hashed, signedIn, idle, during });
    }
    return rowsOf(rounds);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const others = (name: string, share: number, goal?: { ratioBelow: number }) =>
    compare({
      question: `other requests during sign-ins, ${name}`,
      unit: "ms",
      ours: rounds.map(({ during }) => quantile(during, share)),
      rival: { name: "without sign-ins", figures: rounds.map(({ idle }) => quantile(idle, share)) },
      ...(goal && { goal }),
    });
  return [
    compare({
      question: "sign-ins",
      unit: "/s",
      ours: rounds.map(({ signedIn }) => signedIn),
      rival: { name: "bare hashing on all processors", figures: rounds.map(({ hashed }) => hashed) },
      goal: { ratioAtLeast: 0.9 },
    }),
    others("median", 0.5),
    others("99th percentile", 0.99, { ratioBelow: 2 }),
  ];
}

/** Creates the accounts and returns the hash of their password. */
async function createAccounts(dataDir: string): Promise<string> {
  const database = new pg.Pool({ ...(await embeddedConnection(dataDir)), max: 1 });
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
  const { stdout } = await promisify(execFile)(process.execPath, [hashing, hash, password, `${seconds}`]);
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

    /** Signs in for so many seconds, and resolves with the sign-ins in a second. */
    async signIns(seconds: number): Promise<number> {
      const began = performance.now();
      const deadline = began + seconds * 1000;
      let done = 0;
      async function repeat() {
        while (performance.now() < deadline) {
          await signInNext();
          done += 1;
        }
      }
      await Promise.all(Array.from({ length: atOnce }, repeat));
      return done / ((performance.now() - began) / 1000);
    },

    /** Requests a page and stores a contact at a fixed rate. Each contact has a sender of its own. */
    async others(seconds: number): Promise<number[]> {
      const began = performance.now();
      const answers: Promise<number>[] = [];
      for (let number = 0; number < seconds * othersPerSecond; number++) {
        const planned = began + (number * 1000) / othersPerSecond;
        await pause(Math.max(0, planned - performance.now()));
        const sender = accounts + nextContact++;
        const contact = { name: "Ada", company: "Engines", email: `visitor-${sender}@bench.example` };
        const body = JSON.stringify({ ...contact, interest: "consulting" });
        answers.push(timed(planned, send(200, "/", publicAddress(sender))));
        answers.push(timed(planned, send(201, "/rest/v1/contacts", publicAddress(sender), body)));
      }
      return Promise.all(answers);
    },
  };
}

if (import.meta.main) {
  const options = { runs: { type: "string", default: "5" }, seconds: { type: "string", default: "4" } } as const;
  const { values } = parseArgs({ options });
  console.table(await measureSignIn({ runs: Number(values.runs), seconds: Number(values.seconds) }));
}
