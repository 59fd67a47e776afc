/**
 * The shortest honest server of a contact: Fastify, `pg`, and one prepared insert, committed before the answer. It reads
 * the connection from standard input and prints its address.
 */
import { json } from "node:stream/consumers";
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ ...((await json(process.stdin)) as pg.PoolConfig), max: 20 });
pool.on("error", () => {});
await pool.query(`create table if not exists public.peer_contacts (
  id           uuid primary key default gen_random_uuid(),
  name         text not null,
  company      text not null,
  email        text not null,
  interest     text not null,
  submitted_at timestamptz not null default now()
)`);

const app = Fastify();
app.post<{ Body: Record<string, string> }>("/rest/v1/contacts", async ({ body }, reply) => {
  await pool.query({
    name: "insert",
    text: "insert into public.peer_contacts (name, company, email, interest) values ($1, $2, $3, $4)",
    values: [body.name, body.company, body.email, body.interest],
  });
  return reply.code(201).send();
});
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
