-- Until migration 0004 the queue was that of a library, which made the schema `graphile_worker` itself. The view of
-- migration 0002 reads its jobs, so a new database needs a relation of that name until 0004 drops the schema. On a
-- database that an earlier version has used, both exist, and nothing changes here.
create schema if not exists graphile_worker;
create table if not exists graphile_worker.jobs (
  id              bigint,
  task_identifier text,
  run_at          timestamptz,
  attempts        smallint,
  max_attempts    smallint,
  last_error      text,
  created_at      timestamptz,
  locked_at       timestamptz
);
