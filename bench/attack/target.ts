import { join } from "node:path";
import pg, { type ClientBase } from "pg";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { inTransaction } from "#server/database/transaction";
import { type RunningSite, startSite } from "#tests/support/site";
import { jsonRequest, publicAddress } from "../load/requests.ts";
import { seededDomain } from "./untouched-rows.ts";

export const password = "a long walk in the woods";
export const secretOfMember = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
export const emails = { admin: `admin@${seededDomain}`, member: `member@${seededDomain}` } as const;
type Name = keyof typeof emails;

/** A server process with its embedded PostgreSQL, and a connection to this database as its owner. */
export interface Target {
  site: RunningSite;
  database: pg.Pool;
  /** Signs in and resolves with the session. */
  signIn(name: Name): Promise<{ access_token: string; refresh_token: string }>;
  stop(): Promise<void>;
}

interface Options {
  folder: string;
  environment: Record<string, string>;
  signal: AbortSignal;
  onEnded: (message: string) => void;
}

export async function startTarget({ folder, environment, signal, onEnded }: Options): Promise<Target> {
  const dataDir = join(folder, "data");
  const site = await startSite({
    dataDir,
    signal,
    environment: { HOST: "127.0.0.1", TRUST_PROXY: "loopback", LOG_LEVEL: "info", ...environment },
  });
  let isStopping = false;
  site.ended.then((code) => {
    if (!isStopping && !signal.aborted)
      onEnded(`The server ended by itself (${code ?? "a signal"}):\n${site.output().slice(-3000)}`);
  });
  const connection = await embeddedConnection(dataDir);
  const database = new pg.Pool({ ...connection, max: 1, query_timeout: 60_000 });
  database.on("error", () => {});

  return {
    site,
    database,
    signIn: signInAt(`http://127.0.0.1:${site.port}`),
    async stop() {
      isStopping = true;
      await database.end();
      const code = await site.stop();
      if (code !== 0) throw new Error(`The server did not stop in order: it ended with ${code ?? "a signal"}.`);
    },
  };
}

/** Each sign-in comes from a network of its own: it is not the attacker who signs in here. */
export function signInAt(url: string): Target["signIn"] {
  let signIns = 0;
  return async (name) => {
    signIns += 1;
    const from = { "x-forwarded-for": publicAddress(60_000 + signIns) };
    const answer = await fetch(
      `${url}/auth/v1/token?grant_type=password`,
      jsonRequest({ email: emails[name], password }, from),
    );
    if (!answer.ok) throw new Error(`The ${name} cannot sign in: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** The accounts and contacts that no attack may change. */
export async function seedRows(database: pg.Pool) {
  const hasher = passwordHasher();
  for (const [name, email] of Object.entries(emails)) {
    const credentials = await hashCredentials({ email, password }, { hasher, charactersMin: 8 });
    await inTransaction(database, async (db) => {
      const { id } = await createConfirmedAccount(db, credentials);
      if (name === "admin") await db.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
      // The attack has the member's password, but not the second factor.
      if (name === "member") await addSecondFactor(db, id);
    });
  }
  await database.query(
    `insert into auth.users (email, encrypted_password) values ('unconfirmed@${seededDomain}', 'a hash')`,
  );
  await database.query(
    `insert into public.contacts (name, company, email, interest)
     select 'Visitor ' || n, 'Works', 'visitor-' || n || '@${seededDomain}', 'consulting' from generate_series(1, 50) n`,
  );
  await keepFromAdmin(database);
}

async function addSecondFactor(db: ClientBase, userId: string) {
  await db.query(
    `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     values ($1, 'Phone', 'totp', 'verified', now(), now(), $2)`,
    [userId, secretOfMember],
  );
  await db.query(
    "insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) values ($1, sha256(random()::text::bytea), now())",
    [userId],
  );
}

/**
 * Makes changes by the admin skip the seeded contacts. The attack also sends bad requests with the admin's own token, who
 * may change and delete all contacts; without this, a changed contact would not show that someone else could do so.
 */
async function keepFromAdmin(database: pg.Pool) {
  const { rows } = await database.query<{ id: string }>("select id from auth.users where email = $1", [emails.admin]);
  await database.query(
    `create function private.keep_seeded_contact() returns trigger language plpgsql set search_path = ''
       as $$ begin return null; end $$;
     create trigger "0 keep it" before update or delete on public.contacts for each row
       when (old.email like 'visitor-%@${seededDomain}' and auth.uid() = '${rows[0]?.id}')
       execute function private.keep_seeded_contact()`,
  );
}

/** How many times the server logged an error, by SQLSTATE, message and place. */
export function loggedErrors(output: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of output.split("\n")) {
    if (!/^\{"level":[56]0/.test(line)) continue;
    const { err, msg } = JSON.parse(line) as { err?: { code?: string; stack?: string }; msg?: string };
    // The first line of the stack is the message, the second says where it was thrown.
    const [message = msg, place = ""] = err?.stack?.split("\n") ?? [];
    const name = [err?.code, message?.slice(0, 120), place.trim()].filter(Boolean).join(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
