import type { Pool } from "pg";
import { SigningKeys } from "#backend/auth/tokens/signing-keys";

export async function loadSigningKeys(owner: Pool): Promise<SigningKeys> {
  const keys = new SigningKeys(owner);
  await keys.load();
  return keys;
}
