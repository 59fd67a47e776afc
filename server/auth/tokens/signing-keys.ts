import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";

export const algorithm = "ES256";

export interface SigningKeys {
  /** The key that signs new tokens. */
  current: { kid: string; privateKey: CryptoKey };
  /** The public keys with which tokens are verified, by key id. */
  publicKeys: ReadonlyMap<string, CryptoKey>;
  /** The same public keys as a JWK set (docs/protocol.md#published-keys). */
  published: { keys: readonly JWK[] };
}

/** The keys of this site, made at the first start. The lock lets only one of several starting servers make them. */
export async function loadSigningKeys(owner: Pool): Promise<SigningKeys> {
  const jwks = await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.signingKeys]);
    const found = await readKeys(db);
    return found.length > 0 ? found : [await makeKey(db)];
  });
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

async function readKeys(db: ClientBase): Promise<JWK[]> {
  const { rows } = await db.query("select private_jwk from auth.signing_keys order by created_at desc, kid");
  return rows.map((row) => row.private_jwk);
}

async function makeKey(db: ClientBase): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const stored = { ...jwk, kid };
  await db.query("insert into auth.signing_keys (kid, private_jwk) values ($1, $2)", [kid, JSON.stringify(stored)]);
  return stored;
}

async function asKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error("A signing key must not be symmetric.");
  return key;
}
