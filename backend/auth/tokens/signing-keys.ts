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

/** A server uses no keys that it read longer ago: an operator may have added or ended one. */
export const keyAgeMillisecondsMax = 2000;

/** Tokens with an unknown key id, honest or not, make a server read the keys at most once in this time. */
const reloadPauseMilliseconds = 250;

/** For a minute at most after a key has a successor, a request under way signs with it. Then its last token must expire. */
const retiredSeconds = 60 + accessTokenSeconds + skewSeconds;

/** The condition of a key whose last token has expired. By the database's clock, so that all servers agree. */
export const retiredKey = `exists (select from auth.signing_keys newer where newer.created_at > signing_keys.created_at
  and newer.created_at < now() - interval '${retiredSeconds} seconds')`;

interface LoadedKeys {
  current: { kid: string; privateKey: CryptoKey };
  published: { keys: readonly JWK[] };
  publicKeys: ReadonlyMap<string, CryptoKey>;
}

/** The keys of this site as this server knows them. The newest signs; all verify. */
export class SigningKeys {
  readonly #owner: Pool;
  readonly #log: Pick<BaseLogger, "info">;
  #keys: LoadedKeys | undefined;
  #readAt = 0;
  #readAtTime = 0;
  #reading: Promise<LoadedKeys> | undefined;
  #nextRead: Promise<LoadedKeys> | undefined;

  constructor(owner: Pool, log: Pick<BaseLogger, "info">) {
    this.#owner = owner;
    this.#log = log;
  }

  /** Reads the keys, and makes one at the first start. The server uses no key before. Calls at the same time share it. */
  load(): Promise<LoadedKeys> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<LoadedKeys> {
    const beganAt = performance.now();
    const beganAtTime = Date.now();
    const keys = await importKeys(await ensureKeys(this.#owner));
    // A read that began later has ended before this one, so its keys are newer.
    if (this.#keys && beganAt < this.#readAt) return this.#keys;
    const { kid } = keys.current;
    // Operators have an alert on it: an intruder may have rotated the key.
    if (this.#keys && kid !== this.#keys.current.kid)
      this.#log.info({ kid }, "New tokens are signed with another key.");
    this.#keys = keys;
    this.#readAt = beganAt;
    this.#readAtTime = beganAtTime;
    return keys;
  }

  async #fresh(): Promise<LoadedKeys> {
    // The database is not open yet: its tables may be missing.
    if (!this.#keys) throw new DatabaseAwayError("The signing keys are not loaded yet.");
    // While the machine is suspended only the clock goes on, and only the clock can be set: by both they must be fresh.
    const ages = [performance.now() - this.#readAt, Math.abs(Date.now() - this.#readAtTime)];
    const isFresh = Math.max(...ages) <= keyAgeMillisecondsMax;
    return isFresh ? this.#keys : this.load();
  }

  /** The public keys as a JWK set, the newest first (docs/protocol.md#published-keys). */
  async published() {
    return (await this.#fresh()).published;
  }

  /** The newest key. */
  async forSigning() {
    return (await this.#fresh()).current;
  }

  /**
   * An unknown key may be one that another server has just got, so it is looked for once more. That waits a moment,
   * because a flood of unknown ids must not become a flood of queries. The read begins after the call: all calls before
   * share it.
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = (await this.#fresh()).publicKeys.get(kid);
    if (known) return known;
    this.#nextRead ??= pause(reloadPauseMilliseconds, undefined, { ref: false }).then(() => {
      this.#nextRead = undefined;
      return this.#read();
    });
    return (await this.#nextRead).publicKeys.get(kid);
  }
}

/** Makes the first key if there is none, and returns all that verify, newest first. */
async function ensureKeys(owner: Pool): Promise<JWK[]> {
  const found = await readKeys(repeatable(owner));
  if (found.length > 0) return found;
  // The lock lets only one of several starting servers make the first key.
  return inTransaction(owner, async (db) => {
    await lockKeys(db);
    const [made = await makeKey(db)] = await readKeys(db);
    return [made];
  });
}

async function readKeys(db: Pick<Pool, "query">): Promise<JWK[]> {
  const { rows } = await db.query<{ private_jwk: JWK }>(
    `select private_jwk from auth.signing_keys where not ${retiredKey} order by created_at desc, kid`,
  );
  return rows.map((row) => row.private_jwk);
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
