import type { Pool } from "pg";
import type { BaseLogger } from "pino";
import type { SecretKeys } from "#server/secret-keys";

/** Encrypts with the first key the secrets that another key has encrypted, and those of earlier versions. */
export async function encryptSecrets(owner: Pool, keys: SecretKeys, log: Pick<BaseLogger, "error">) {
  const { rows } = await owner.query<{ id: string; secret: string }>("select id, secret from auth.mfa_factors");
  const problems = new Set<string>();
  for (const { id, secret } of rows) {
    const renewed = await keys.renew(secret, id).catch(({ message }: Error) => void problems.add(message));
    if (renewed !== undefined && renewed !== secret)
      await owner.query("update auth.mfa_factors set secret = $3 where id = $1 and secret = $2", [id, secret, renewed]);
  }
  for (const problem of problems) log.error(`The secret of a second factor cannot be decrypted. ${problem}`);
}
