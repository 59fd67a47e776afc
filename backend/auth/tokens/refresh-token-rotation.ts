import type { ClientBase } from "pg";
import { expiredSession, type Session, type SessionLimits, sessionColumns } from "../sessions/session-store.ts";
import { childRefreshToken, familyHashOf, hashOf, newSalt } from "./random-tokens.ts";

/**
 * Within this time a spent token still leads to the newest one: several tabs may present it, and one of them may have
 * used its child already (docs/protocol.md#refresh-rotation).
 */
const reuseSeconds = 10;

/** A used token's row is kept at least this long, and until the token that replaced it (its child) is used. */
export const spentTokenSeconds = 24 * 60 * 60;

/**
 * Finds the session of a token, even of a removed one, and locks it. After waiting for the lock PostgreSQL compares the
 * family again: a second factor may have begun a new one meanwhile.
 */
export async function lockSessionOf(db: ClientBase, token: string, limits: SessionLimits) {
  const { rows } = await db.query<Session & { is_expired: boolean }>({
    name: "session of refresh token",
    text: `select ${sessionColumns}, ${expiredSession(limits)} as is_expired from auth.sessions where family_hash = $1 for update`,
    values: [familyHashOf(token)],
  });
  return rows[0];
}

/**
 * Applies the table of docs/protocol.md#refresh-rotation from top to bottom. Returns undefined if a spent token is
 * presented again, because another party holds a copy of it. The tokens of a session are one chain, so a thief and the
 * owner cannot both go on without one presenting a spent token. The caller must have locked the session.
 */
export async function rotateRefreshToken(
  db: ClientBase,
  { session, presented }: { session: Session; presented: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string; isSpent: boolean; wasJustSpent: boolean }>({
    name: "refresh token",
    text: `select id, revoked_at is not null as "isSpent", revoked_at
         between now() - interval '${reuseSeconds} seconds' and now() + interval '${reuseSeconds} seconds' as "wasJustSpent"
       from auth.refresh_tokens where token_hash = $1`,
    values: [hashOf(presented)],
  });
  const [row] = rows;
  // The token belongs to this session, but its row was removed: it was spent long ago.
  if (!row) return undefined;
  if (!row.isSpent) return spend(db, session, { id: row.id, token: presented });
  let next = await findChild(db, row.id, presented);
  while (row.wasJustSpent && next?.isSpent) next = await findChild(db, next.id, next.token);
  return next?.isSpent === false ? next.token : undefined;
}

async function spend(db: ClientBase, session: Session, parent: { id: string; token: string }): Promise<string> {
  const salt = newSalt();
  const token = childRefreshToken(parent.token, salt);
  await db.query({
    name: "spend refresh token",
    text: `with spent as (update auth.refresh_tokens set revoked_at = now() where id = $3)
     insert into auth.refresh_tokens (session_id, token_hash, parent_id, salt, created_at) values ($1, $2, $3, $4, now())`,
    values: [session.id, hashOf(token), parent.id, salt],
  });
  return token;
}

/**
 * The token that replaced `parent`. If it is not spent, it is given out again, however long ago the parent was spent:
 * the answer that contained it may have been lost.
 */
async function findChild(db: ClientBase, parentId: string, parent: string) {
  const { rows } = await db.query<{ id: string; salt: Buffer; isSpent: boolean }>(
    `select id, salt, revoked_at is not null as "isSpent" from auth.refresh_tokens
     where parent_id = $1 order by revoked_at is null desc, id desc limit 1`,
    [parentId],
  );
  return rows[0] && { ...rows[0], token: childRefreshToken(parent, rows[0].salt) };
}
