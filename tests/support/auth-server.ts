import { createClient } from "@supabase/supabase-js";
import Fastify from "fastify";
import { authApi } from "#backend/auth/auth-api";
import type { AuthContext } from "#backend/auth/auth-context";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { tokenVerifier } from "#backend/auth/sessions/require-user";
import { addUser } from "#backend/auth/users";
import { dataApi } from "#backend/data-api/data-api";
import { floodLimits, noFloodLimits } from "#backend/limits/flood-limits";
import { secretKeys } from "#backend/secret-keys";
import { errorForLog } from "#process/log";
import { accountMails, queueAccountMail } from "#server/jobs/account-mails";
import { type JobHandler, Worker } from "#server/jobs/worker";
import type { AccountMail } from "#server/mail/render-account-mail";
import { defaultPublicKey } from "#server/settings";
import { createDatabase, jobsAtRest, type TestDatabase } from "./database.ts";
import { onFinished } from "./on-finished.ts";
import { loadSigningKeys } from "./signing-keys.ts";
import { silentLog } from "./silent-log.ts";
import { setClock } from "./test-clock.ts";

export const publicKey = defaultPublicKey;

/** The public address of the site. The server listens at another address, like a server behind a proxy. */
export const siteUrl = "https://site.example";

/** A hasher with the fastest Argon2 parameters, for tests that do not depend on how slow hashing is. */
export const cheapHasher = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });

/** The first of these keys encrypts, all decrypt. */
export function keysOf(...secretsKeys: string[]) {
  return secretKeys({ secretsKeys, databaseUrl: undefined, dataDir: "" });
}

/** The default settings, but without limits. */
const defaults = {
  publicKey,
  siteUrl,
  redirectUrls: [],
  signUps: "open",
  autoconfirm: false,
  limitsAreOn: false,
  accountMailsPerHour: 100,
  auditDays: 90,
  hasher: cheapHasher,
  queueMail: queueAccountMail,
  secretKeys: keysOf("a key of tests"),
  sessionIdleDays: 30,
  sessionMaxDays: 365,
} as const;

/** Returns the URL of GET /verify that uses up the token of this mailed link (docs/protocol.md#links-at-the-api). */
export function apiLinkOf(link: string): string {
  const { hash, searchParams } = new URL(link);
  const { token_hash, type, redirect_to, token } = Object.fromEntries(
    hash ? new URLSearchParams(hash.slice(1)) : searchParams,
  );
  const query = { token: token ?? token_hash ?? "", type: type ?? "", redirect_to: redirect_to ?? `${siteUrl}/` };
  return `${siteUrl}/auth/v1/verify?${new URLSearchParams(query)}`;
}

/** Where a client keeps its session, like the storage of a separate browser. */
export function memoryStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
}

interface Event {
  action: string;
  account: string;
  ip: string;
  /** How often it happened within an hour, if it did more than once. */
  times: number | null;
  traits: Record<string, string> | null;
}

interface ServerOptions extends Partial<AuthContext> {
  /** In place of a new one. */
  database?: TestDatabase;
  trustProxy?: string;
  /** From this time the clock moves only if the test moves it, so that limits do not depend on how fast the tests run. */
  stoppedAt?: Date;
}

/**
 * Starts a server with the auth API and the data API on 127.0.0.1, until the end of the test or file that starts it. The
 * server has a new database. The test sets the server's clock and reads the mails that the server sends.
 */
export async function startAuth({ trustProxy = "", stoppedAt, database: given, ...changed }: ServerOptions = {}) {
  const database = given ?? (await createDatabase());
  const setPostgresClock = await setClock(database.owner, { stoppedAt, aheadSeconds: 0 });
  const keys = await loadSigningKeys(database.owner);
  const mails: AccountMail[] = [];
  const failures: unknown[] = [];
  let clockIsSet: Promise<unknown> = Promise.resolve();
  let aheadSeconds = 0;
  /** Sets the clock of the process at once, and that of PostgreSQL before the next request. */
  const clock = {
    mailIsDown: false,
    get aheadSeconds() {
      return aheadSeconds;
    },
    set aheadSeconds(seconds: number) {
      aheadSeconds = seconds;
      clockIsSet = clockIsSet.then(() => setPostgresClock({ stoppedAt, aheadSeconds: seconds }));
    },
  };
  const now = () => new Date((stoppedAt?.getTime() ?? Date.now()) + aheadSeconds * 1000);

  const app = Fastify({
    logger: {
      level: "error",
      serializers: { err: errorForLog },
      stream: { write: (line: string) => failures.push(JSON.parse(line)) },
    },
    forceCloseConnections: true,
    trustProxy: trustProxy || false,
  });
  app.addHook("onRequest", async () => void (await clockIsSet));
  // Limits in memory count by a clock that never goes back.
  let latest = 0;
  const monotonic = () => {
    latest = Math.max(latest, now().getTime());
    return latest;
  };
  const limits = changed.limitsAreOn ? floodLimits(monotonic) : noFloodLimits;
  const context = { ...defaults, owner: database.owner, keys, now, floodLimits: limits, ...changed };
  app.register(authApi(context), { prefix: "/auth/v1" });
  const verifyToken = tokenVerifier(context);
  app.register(dataApi({ caller: database.caller, publicKey, verifyToken, deduplicated: ["contacts"] }), {
    prefix: "/rest/v1",
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  // Without a handler, jobs named "announce-contact" would stay queued, and `jobsAtRest` would never resolve.
  const mailHandler = accountMails(context, async (mail) => void mails.push(mail))["account-mail"];
  const tasks: Record<string, JobHandler> = {
    async "account-mail"(payload, attempt) {
      if (clock.mailIsDown) throw new Error("The mail server is down.");
      await mailHandler(payload, attempt);
    },
    "announce-contact": async () => {},
  };
  const queue = new Worker({ owner: database.owner, log: silentLog, tasks });
  let clients = 0;

  const started = {
    app,
    url,
    database,
    keys,
    /** Waits until every queued mail is composed, and resolves with all mails, oldest first. */
    async mails() {
      await clockIsSet;
      // Nothing else wakes it here, so that a job would wait up to a second.
      queue.wake();
      await jobsAtRest(database);
      return mails;
    },
    async mailsTo(address: string) {
      return (await started.mails()).filter(({ to }) => to === address);
    },
    /** The newest mail to this address, of this kind if one is named. The token is that of its link. */
    async newestMail(address: string, kind?: AccountMail["kind"]) {
      const mail = (await started.mailsTo(address)).findLast((each) => !kind || each.kind === kind);
      const { link = `${siteUrl}/auth#`, code = "" } = mail ?? {};
      return { ...mail, link, code, token: new URL(apiLinkOf(link)).searchParams.get("token") ?? "" };
    },
    /** What the log of events has about an account (its id or its address), oldest first, or about all. */
    async events(account?: string) {
      const { rows } = await database.owner.query<Event>(
        `select payload ->> 'action' as action, payload ->> 'actor_username' as account, ip_address as ip,
           (payload #>> '{repeats,times}')::int as times, payload -> 'traits' as traits from auth.audit_log_entries
         where $1::text is null or $1 in (payload ->> 'actor_id', payload ->> 'actor_username') order by created_at`,
        [account],
      );
      return rows;
    },
    /** The errors that the server logged. */
    failures,
    clock,
    now,

    /** Creates a Supabase client with its own storage, like a separate browser. */
    client() {
      clients += 1;
      return createClient(url, publicKey, {
        auth: {
          storage: memoryStorage(),
          storageKey: `browser-${clients}`,
          autoRefreshToken: false,
          detectSessionInUrl: false,
          experimental: { recoveryCodes: true },
        },
      });
    },

    /** Sends a request with the headers of Supabase's client. Tests use it for requests that the client cannot send. */
    call(
      path: string,
      init: { method?: string; body?: unknown; token?: string; headers?: Record<string, string> } = {},
    ) {
      const { method = init.body === undefined ? "GET" : "POST", body, token = publicKey, headers } = init;
      return fetch(url + path, {
        method,
        redirect: "manual",
        headers: {
          apikey: publicKey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json;charset=UTF-8",
          "x-supabase-api-version": "2024-01-01",
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    },

    /** Follows a mailed link without the API key. Resolves with status, address and fragment of the redirect. */
    async follow(link: string) {
      const answer = await fetch(apiLinkOf(link).replace(siteUrl, url), { redirect: "manual" });
      const [target = "", fragment = ""] = (answer.headers.get("location") ?? "").split("#");
      return { status: answer.status, target, fragment, values: new URLSearchParams(fragment) };
    },

    /** Creates a confirmed account, without requests and mails, and signs it in with a new client. */
    async member(email = `${crypto.randomUUID()}@example.com`, password = "correct horse") {
      const account = { email, passwordHash: await context.hasher.hash(password), isConfirmed: true, metadata: {} };
      await addUser(database.owner, account);
      return started.signIn(email, password);
    },

    /** Signs up, follows the mailed link, and signs in with a new client. */
    async memberBySignUp(email = `${crypto.randomUUID()}@example.com`, password = "correct horse") {
      await started.client().auth.signUp({ email, password });
      await started.follow((await started.mailsTo(email)).at(-1)?.link ?? "");
      return started.signIn(email, password);
    },

    async signIn(email: string, password: string) {
      const client = started.client();
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      if (error || !data.session) throw error ?? new Error("No session.");
      return { client, email, password, session: data.session, user: data.user };
    },
  };
  onFinished(async () => {
    await app.close();
    await queue.stop();
  });
  return started;
}

export type AuthServer = Awaited<ReturnType<typeof startAuth>>;
