import type { ClientBase } from "pg";
import { type Session, sessionColumns } from "../sessions/sessions.ts";
import { childRefreshToken, familyHashOf, hashOf, newSalt } from "./secrets.ts";

/** Within this time two tabs may present the same token and stay signed in (docs/protocol.md#refresh-rotation). */
const reuseSeconds = 10;

interface RefreshToken {
  id: string;
  session_id: string;
  revoked_at: Date | null;
}

/** How long the row of a spent token is stored. Rotation needs it for ten seconds, and while its child is active. */
const spentTokenSeconds = 24 * 60 * 60;

/** The session of a token, also of one whose row was removed. Locked until the transaction ends. */
export async function lockSessionOf(db: ClientBase, token: string): Promise<Session | undefined> {
  const { rows } = await db.query<Session>(
    `select ${sessionColumns} from auth.sessions
     where id = coalesce(
       (select session_id from auth.refresh_tokens where token_hash = $1),
       (select id from auth.sessions where family_hash = $2))
     for update`,
    [hashOf(token), familyHashOf(token)],
  );
  return rows[0];
}

/**
 * The table of docs/protocol.md#refresh-rotation, top to bottom. Returns the next token; undefined means reuse: another
 * party holds a copy. The session must be locked.
 */
export async function rotateRefreshToken(
  db: ClientBase,
  presented: string,
  now: Date,
): Promise<{ token: string; revoked: boolean } | undefined> {
  const row = await readToken(db, presented);
  // A token of this session whose row was removed: it was spent long ago.
  if (!row) return undefined;
  if (!row.revoked_at) {
    await removeSpent(db, row.session_id, now);
    await db.query("update auth.refresh_tokens set revoked_at = $2 where id = $1", [row.id, now]);
    return { token: await mintChild(db, row, presented, now), revoked: true };
  }
  const child = await findActiveChild(db, row, presented);
  if (child) return { token: child, revoked: false };

  const ageSeconds = (now.getTime() - row.revoked_at.getTime()) / 1000;
  if (ageSeconds <= reuseSeconds) return { token: await mintChild(db, row, presented, now), revoked: false };
  return undefined;
}

/** Read it under the lock: another refresh may have changed the row. */
async function readToken(db: ClientBase, token: string): Promise<RefreshToken | undefined> {
  const { rows } = await db.query<RefreshToken>(
    "select id, session_id, revoked_at from auth.refresh_tokens where token_hash = $1",
    [hashOf(token)],
  );
  return rows[0];
}

/** Removes more rows per refresh than it adds, but a bounded number: a session may have thousands. */
async function removeSpent(db: ClientBase, sessionId: string, now: Date) {
  await db.query(
    `delete from auth.refresh_tokens where id in (
       select t.id from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
       where t.session_id = $1 and s.family_hash is not null and t.revoked_at < $2 and not exists (
         select from auth.refresh_tokens child where child.parent_id = t.id and child.revoked_at is null)
       order by t.id limit 20)`,
    [sessionId, new Date(now.getTime() - spentTokenSeconds * 1000)],
  );
}

async function mintChild(db: ClientBase, parent: RefreshToken, presented: string, now: Date): Promise<string> {
  const salt = newSalt();
  const token = childRefreshToken(presented, salt);
  await db.query(
    `insert into auth.refresh_tokens (session_id, token_hash, parent_id, salt, created_at) values ($1, $2, $3, $4, $5)`,
    [parent.session_id, hashOf(token), parent.id, salt, now],
  );
  return token;
}

/** The answer with this child may have been lost. Its parent proves that the caller may have it, at any age. */
async function findActiveChild(db: ClientBase, parent: RefreshToken, presented: string): Promise<string | undefined> {
  const { rows } = await db.query<{ salt: Buffer }>(
    "select salt from auth.refresh_tokens where parent_id = $1 and revoked_at is null order by id desc limit 1",
    [parent.id],
  );
  return rows[0] && childRefreshToken(presented, rows[0].salt);
}
