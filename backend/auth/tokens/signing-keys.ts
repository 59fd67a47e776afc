import { setTimeout as pause } from "node:timers/promises";
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#backend/database/advisory-locks";
import { DatabaseAwayError } from "#backend/database/errors";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";

export const algorithm = "ES256";

/** At least three minutes, because the client refreshes 90 s before the end (docs/protocol.md#access-token). */
export const accessTokenSeconds = 60 * 60;

/** How many seconds two servers' clocks may differ, as with PostgREST (docs/protocol.md#token-check). */
export const skewSeconds = 30;

/** How often a server reads the keys again, to see one that an operator has added. `rotate-keys --now` waits for it. */
export const reloadMilliseconds = 2000;

/** Tokens with an unknown key id, honest or not, make a server read the keys at most once in this time. */
const reloadPauseMilliseconds = 250;

/** Keys that were read longer ago, because PostgreSQL was away or the process was paused, are read again before signing. */
const staleSeconds = 60;

/** After a key has a successor, servers sign with it for `staleSeconds` at most. Then its last token must expire. */
const retiredSeconds = staleSeconds + accessTokenSeconds + skewSeconds;

interface LoadedKeys {
  current: { kid: string; privateKey: CryptoKey };
  published: { keys: readonly JWK[] };
  publicKeys: ReadonlyMap<string, CryptoKey>;
}

/** Before the keys are loaded, `assertOpen` of the app lets no request through, and `find` has no key for its token. */
const noKeys = { publicKeys: new Map(), published: { keys: [] } } as unknown as LoadedKeys;

/** The keys of this site as this server knows them. The newest signs; all verify. */
export class SigningKeys {
  readonly #owner: Pool;
  #keys = noKeys;
  #loadedAt = 0;
  #nextLoad: Promise<void> | undefined;

  constructor(owner: Pool) {
    this.#owner = owner;
  }

  /** Reads the keys, and makes one at the first start. The server uses no key before. */
  async load() {
    const beganAt = Date.now();
    const found = await ensureKeys(this.#owner);
    const kids = found.map(({ kid }) => kid).join();
    if (kids !== [...this.#keys.publicKeys.keys()].join()) this.#keys = await importKeys(found);
    this.#loadedAt = beganAt;
  }

  /** Resolves after a load that began after this call. All callers until it begins share it. */
  #reload(): Promise<void> {
    this.#nextLoad ??= pause(reloadPauseMilliseconds, undefined, { ref: false }).then(() => {
      this.#nextLoad = undefined;
      return this.load();
    });
    return this.#nextLoad;
  }

  /** The public keys as a JWK set, the newest first (docs/protocol.md#published-keys). */
  get published() {
    return this.#keys.published;
  }

  /** The newest key, after the keys have been read again if that was long ago. */
  async forSigning() {
    if (Date.now() - this.#loadedAt > staleSeconds * 1000) await this.#reload();
    return this.#keys.current;
  }

  /**
   * An unknown key may be another server's, so it is looked for in the database. That may wait a moment, because a
   * flood of unknown ids must not become a flood of queries.
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = this.#keys.publicKeys.get(kid);
    if (known) return known;
    // The database is not open yet: its tables may be missing.
    if (this.#keys === noKeys) throw new DatabaseAwayError("The signing keys are not loaded yet.");
    await this.#reload();
    return this.#keys.publicKeys.get(kid);
  }

  /** Reads the keys again every `reloadMilliseconds` until the returned function is called. */
  watch(log: Pick<BaseLogger, "info" | "warn">): () => void {
    let loggedKid = this.#keys.current.kid;
    let isReachable = true;
    const look = async () => {
      try {
        await this.#reload();
        isReachable = true;
      } catch (error) {
        if (isReachable) log.warn(`The signing keys could not be read again: ${(error as Error).message}`);
        isReachable = false;
      }
      const { kid } = this.#keys.current;
      if (kid !== loggedKid) log.info({ kid }, "New tokens are signed with another key.");
      loggedKid = kid;
    };
    const timer = setInterval(look, reloadMilliseconds).unref();
    return () => clearInterval(timer);
  }
}

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
 * Removes keys whose last token has expired, and returns the others, newest first. By the database's clock, so that all
 * servers agree.
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
  // A key that was made while the clock ran ahead would stay the newest.
  await db.query("update auth.signing_keys set created_at = now() where created_at > now()");
  const { kid = "" } = await makeKey(db);
  return kid;
}

/** Ends all keys but this one, in case they leaked. The sessions must end too, because their tokens are invalid now. */
export async function removeOtherSigningKeys(db: ClientBase, kid: string) {
  await db.query("delete from auth.signing_keys where kid <> $1", [kid]);
}

async function makeKey(db: ClientBase): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const stored = { ...jwk, kid };
  const sql = "insert into auth.signing_keys (kid, private_jwk, created_at) values ($1, $2, clock_timestamp())";
  await db.query(sql, [kid, stored]);
  return stored;
}

async function asKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error("A signing key must not be symmetric.");
  return key;
}
