import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OwnerConnection } from "#server/database/embedded/embedded-postgres";
import { pathOf, runProgram } from "./programs.ts";
import type { Run } from "./run.ts";
import { connections } from "./wrk.ts";

/** A contact without triggers and rights, to compare with: the same columns and indexes, nothing else. */
export const createBareTable =
  "create table public.bare_contacts (like public.contacts including defaults including indexes)";

/** One transaction of the bare insert. */
export const bareInsert = insertInto("bare_contacts");

/** A random visitor's contact, as pgbench reads it. Nothing in it needs cleaning, as with nearly all contacts. */
export function insertInto(table: string): string {
  return `\\set visitor random(1, 1000000000000)
insert into ${table} (name, company, email, interest)
values ('Ada Heron', 'Heron and Daughters', 'visitor-:visitor@bench.example', 'consulting');
`;
}

/** Runs a script on 16 connections and resolves with the transactions per second. Rejects if a transaction fails. */
export async function pgbench(run: Run, connection: OwnerConnection, script: string, seconds: number) {
  const file = join(run.folder, `${randomUUID()}.sql`);
  await writeFile(file, script);
  const { host, port, user, password, database } = connection;
  const printed = await runProgram(
    run,
    [
      ...[pathOf("pgbench"), "--no-vacuum", "--client", String(connections), "--time", String(seconds)],
      ...["--file", file, "--host", host, "--port", String(port), "--username", user, database],
    ],
    { PGPASSWORD: password },
  );
  const failed = /number of failed transactions: (?!0 ).*/.exec(printed)?.[0];
  if (failed) throw new Error(`pgbench: ${failed}`);
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1]);
}
