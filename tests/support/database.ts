import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Client, type ClientBase } from "pg";
import { inject } from "vitest";
import { asCaller, type Claims } from "#backend/database/as-caller";
import { type Connections, connect } from "#backend/database/connections";
import type { OwnerConnection } from "#backend/database/embedded/embedded-postgres";
import { onFinished } from "./on-finished.ts";
import { template } from "./postgres-for-all.ts";
import { silentLog } from "./silent-log.ts";

export interface TestDatabase extends Connections {
  connection: OwnerConnection;
  /** The connection as a URL, for `DATABASE_URL`. */
  url: string;
  /** Runs `work` in one transaction with the rights of the caller whose token has these claims. */
  as<T>(claims: Claims, work: (db: ClientBase) => Promise<T>): Promise<T>;
  /** Closes both pools and removes the database before the end of the test. */
  drop(): Promise<void>;
}

export interface TestUser {
  id: string;
  email: string;
  /** The claims of a verified token, to pass to `as`. */
  claims: Claims;
}

export const visitor: Claims = { role: "anon" };
export const service: Claims = { role: "service_role" };

/** The parts of a hosted Supabase project's schema that the migrations need. */
export const hostedSchema = `
  create schema auth; create schema extensions;
  create table auth.users (id uuid primary key, email text, email_confirmed_at timestamptz);
  create table auth.mfa_factors (user_id uuid, status text);
  create function auth.uid() returns uuid language sql stable as 'select null::uuid';
  create function auth.role() returns text language sql stable as 'select null::text';
  create function auth.jwt() returns jsonb language sql stable as 'select null::jsonb'`;

/** A new migrated database, until the end of the test or file that makes it. */
export async function createDatabase(): Promise<TestDatabase> {
  return createEmptyDatabase(template);
}

/** The same without migrations. */
export async function createEmptyDatabase(copyOf = "template1"): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // The other strategy writes all pages to the write-ahead log, and takes twice the time.
  await runAsOwner(`create database ${name} template ${copyOf} strategy file_copy`);

  const connection = { ...inject("postgres"), database: name };
  const { user, password, host, port } = connection;
  const connections = connect(connection, silentLog);
  return {
    ...connections,
    connection,
    url: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${name}`,
    as: (claims, work) => asCaller(connections.caller, claims, work),
    drop: onFinished(async () => {
      await connections.close();
      await runAsOwner(`drop database ${name} with (force)`);
    }),
  };
}

/** A confirmed account. */
export async function createUser({ owner }: TestDatabase, { admin = false } = {}): Promise<TestUser> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  await owner.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [id, email]);
  if (admin) await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
  return { id, email, claims: { role: "authenticated", sub: id, email, aud: "authenticated" } };
}

/** Resolves when the queue has no due and no running job. */
export async function jobsAtRest({ owner }: TestDatabase): Promise<void> {
  const due = "select from private.jobs where run_at <= now() and attempts < attempts_max or leased_by is not null";
  // Without the pause, these queries would take the processor from the worker that they wait for.
  while ((await owner.query(due)).rowCount) await pause(20);
}

async function runAsOwner(sql: string): Promise<void> {
  const client = new Client(inject("postgres"));
  await client.connect();
  await client.query(sql);
  await client.end();
}
