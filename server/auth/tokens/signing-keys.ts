import { setTimeout as pause } from "node:timers/promises";
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#server/database/advisory-locks";
import { DatabaseAwayError } from "#server/database/errors";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { accessTokenSeconds, skewSeconds } from "./token-lifetime.ts";

export const algorithm = "ES256";

/** How often a server reads the keys again, to see one that an operator has added. `rotate-keys --now` waits for it. */
export const reloadMilliseconds = 2000;

/** Tokens with an unknown key id, honest or not, make a server read the keys at most once in this time. */
const reloadPauseMilliseconds = 250;

/** Keys that were read longer ago, because PostgreSQL was away or the process was paused, are read again before signing. */
const staleSeconds = 60;

/** After a key has a successor, servers sign with it for `staleSeconds` at most. Then its last token must expire. */
const retiredSeconds = staleSeconds + accessTokenSeconds + skewSeconds;

/** The keys of this site as this server knows them. The newest signs; all verify. */
export interface SigningKeys {
  /** Reads the keys, and makes one at the first start. The server uses no key before. */
  load(): Promise<void>;
  /** The key that signs new tokens, among those that were last read. */
  readonly current: SigningKey;
  /** The public keys as a JWK set (docs/protocol.md#published-keys). */
  readonly published: { keys: readonly JWK[] };
  /** The same, after the keys have been read again if that was long ago. */
  forSigning(): Promise<SigningKey>;
  /**
   * The public key with this id. If it is not known, another server may have it already, so it is looked for in the
   * database. That may wait a moment, because a flood of unknown ids must not become a flood of queries.
   */
  find(kid: string): CryptoKey | Promise<CryptoKey | undefined>;
  /** Reads the keys again every `reloadMilliseconds` until the returned function is called. */
  watch(log: Pick<BaseLogger, "info" | "warn">): () => void;
}

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
}

export async function loadSigningKeys(owner: Pool): Promise<SigningKeys> {
  const keys = signingKeys(owner);
  await keys.load();
  return keys;
}

/** The keys of this site, not yet loaded. */
export function signingKeys(owner: Pool): SigningKeys {
  let keys = noKeys;
  let loadedAt = 0;
  let next: Promise<void> | undefined;

  async function load() {
    const beganAt = Date.now();
    const found = await ensureKeys(owner);
    if (found.map(({ kid }) => kid).join() !== [...keys.publicKeys.keys()].join()) keys = await importKeys(found);
    loadedAt = beganAt;
  }

  /** Resolves after a reload that began after this call. All callers until it begins share it. */
  function reload(): Promise<void> {
    next ??= pause(reloadPauseMilliseconds, undefined, { ref: false }).then(() => {
      next = undefined;
      return load();
    });
    return next;
  }

  async function findInDatabase(kid: string) {
    // The database is not open yet: its tables may be missing.
    if (keys === noKeys) throw new DatabaseAwayError("The signing keys are not loaded yet.");
    await reload();
    return keys.publicKeys.get(kid);
  }

  return {
    load,
    get current() {
      return keys.current;
    },
    get published() {
      return keys.published;
    },
    async forSigning() {
      if (Date.now() - loadedAt > staleSeconds * 1000) await reload();
      return keys.current;
    },
    find: (kid) => keys.publicKeys.get(kid) ?? findInDatabase(kid),
    watch: (log) => watch(reload, () => keys.current.kid, log),
  };
}

function watch(reload: () => Promise<void>, currentKid: () => string, log: Pick<BaseLogger, "info" | "warn">) {
  let loggedKid = currentKid();
  let isReachable = true;
  const succeeded = () => {
    isReachable = true;
    const kid = currentKid();
    if (kid !== loggedKid) log.info({ kid }, "New tokens are signed with another key.");
    loggedKid = kid;
  };
  const failed = ({ message }: Error) => {
    if (isReachable) log.warn(`The signing keys could not be read again: ${message}`);
    isReachable = false;
  };
  const timer = setInterval(() => reload().then(succeeded, failed), reloadMilliseconds).unref();
  return () => clearInterval(timer);
}

type LoadedKeys = Pick<SigningKeys, "current" | "published"> & { publicKeys: ReadonlyMap<string, CryptoKey> };

/** Before the keys are loaded, `assertOpen` of the app lets no request through, and `find` has no key for its token. */
const noKeys = { publicKeys: new Map(), published: { keys: [] } } as unknown as LoadedKeys;

/** The signing keys as this server needs them. */
async function importKeys(jwks: readonly JWK[]): Promise<LoadedKeys> {
  const [newest] = jwks;
  if (!newest?.kid) throw new Error("A signing key has no id.");
  const published = jwks.map(({ kty, crv, x, y, kid }) => {
    return { kty, crv, x, y, kid, alg: algorithm, use: "sig", key_ops: ["verify"] } as JWK;
  });
  return {
    current: { kid: newest.kid, privateKey: await asKey(newest) },
    publicKeys: new Map(await Promise.all(published.map(async (key) => [key.kid ?? "", await asKey(key)] as const))),
    published: { keys: published },
  };
}

/**
 * Removes the keys whose last token has expired, and returns the others, newest first. The clock is the database's, so that
 * all servers agree.
 */
const pruneKeysSql = `
  with expired as (
    delete from auth.signing_keys k where exists (
      select from auth.signing_keys newer
      where newer.created_at > k.created_at and newer.created_at < now() - make_interval(secs => ${retiredSeconds}))
    returning kid)
  select private_jwk from auth.signing_keys where kid not in (select kid from expired) order by created_at desc, kid`;

/** Removes expired keys, makes the first key if there is none, and returns all. */
async function ensureKeys(owner: Pool): Promise<JWK[]> {
  const found = await pruneKeys(repeatable(owner));
  if (found.length > 0) return found;
  // The lock lets only one of several starting servers make the first key.
  return inTransaction(owner, async (db) => {
    await lockKeys(db);
    const [made = await makeKey(db)] = await pruneKeys(db);
    return [made];
  });
}

async function pruneKeys(db: Pick<Pool, "query">): Promise<JWK[]> {
  const { rows } = await db.query<{ private_jwk: JWK }>(pruneKeysSql);
  return rows.map((row) => row.private_jwk);
}

function lockKeys(db: ClientBase) {
  return db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.signingKeys]);
}

/** Adds a key that signs from now on. Older keys verify until the last token that they may have signed has expired. */
export async function addSigningKey(db: ClientBase): Promise<string> {
  await lockKeys(db);
  const { kid = "" } = await makeKey(db);
  return kid;
}

/** Ends all keys but this one, in case they leaked. The sessions must end too, because their tokens count no more. */
export async function removeOtherSigningKeys(db: ClientBase, kid: string) {
  await db.query("delete from auth.signing_keys where kid <> $1", [kid]);
}

async function makeKey(db: ClientBase): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const stored = { ...jwk, kid };
  await db.query("insert into auth.signing_keys (kid, private_jwk, created_at) values ($1, $2, clock_timestamp())", [
    kid,
    JSON.stringify(stored),
  ]);
  return stored;
}

async function asKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error("A signing key must not be symmetric.");
  return key;
}
