import type { Pool } from "pg";
import { SigningKeys } from "#backend/auth/tokens/signing-keys";
import { silentLog } from "./silent-log.ts";

export async function loadSigningKeys(
  owner: Pool,
  log: Pick<typeof silentLog, "info"> = silentLog,
): Promise<SigningKeys> {
  const keys = new SigningKeys(owner, log);
  await keys.load();
  return keys;
}
