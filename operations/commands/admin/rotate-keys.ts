import { setTimeout as pause } from "node:timers/promises";
import { writeAuditLog } from "#backend/auth/audit-log";
import { addSigningKey, keyAgeMillisecondsMax, removeOtherSigningKeys } from "#backend/auth/tokens/signing-keys";
import { inTransaction } from "#backend/database/transaction";
import type { CommandInput } from "./command.ts";
import { confirm } from "./prompts.ts";

/** A command has no caller, so the log names no account. */
const operator = { id: "00000000-0000-0000-0000-000000000000", email: "operator" };

/**
 * Makes a new key for access tokens. Tokens of the old key stay valid until they expire; with `--now`, which is for a
 * key that leaked, that key and all sessions end at once.
 */
export async function rotateKeys(command: CommandInput): Promise<string> {
  const { given, owner, note } = command;
  if (given.now) {
    const { rows } = await owner.query<{ count: string }>("select count(*) from auth.sessions");
    const sessions = `All sessions (${rows[0]?.count}) end at once`;
    await confirm(command, [`${sessions}, and everyone has to log in again. Passwords and second factors stay.`]);
  }
  const kid = await inTransaction(owner, async (db) => {
    if (!given.now) await writeAuditLog(db, { action: "signing_key_rotated", user: operator });
    return addSigningKey(db);
  });
  if (!given.now) {
    return `New tokens are signed with the key ${kid}. Tokens of the old key stay valid until they expire, an hour at most; then it is removed.`;
  }

  // A server that has not read the new key yet opens sessions with the old one, which would not end below.
  note("Waiting until every server has seen the new key.");
  await pause(1.5 * keyAgeMillisecondsMax);
  const ended = await inTransaction(owner, async (db) => {
    await removeOtherSigningKeys(db, kid);
    const { rowCount } = await db.query("delete from auth.sessions");
    const traits = { ended_sessions: true };
    await writeAuditLog(db, { action: "signing_key_rotated", user: operator, traits });
    return rowCount;
  });
  return `New tokens are signed with the key ${kid}. The old keys no longer work, and all sessions (${ended}) have ended.`;
}
