import type { Pool } from "pg";

interface Time {
  /** From this time the clock moves only if the test moves it. */
  stoppedAt: Date | undefined;
  aheadSeconds: number;
}

/**
 * Lets a test set PostgreSQL's clock for the statements of a pool: they find this `now()` before PostgreSQL's own.
 * Functions and triggers of the database, and defaults of columns, keep PostgreSQL's.
 */
export async function setClock(owner: Pool, time: Time) {
  owner.options.options = "-c search_path=test_clock,pg_catalog,public,pg_temp";
  while (owner.idleCount > 0) (await owner.connect()).release(true);
  await owner.query(`
    drop schema if exists test_clock cascade;
    create schema test_clock;
    create table test_clock.time (stopped_at timestamptz, ahead interval not null);
    insert into test_clock.time values (null, '0');
    create function test_clock.now() returns timestamptz language sql stable
      as 'select coalesce(stopped_at, pg_catalog.now()) + ahead from test_clock.time'`);
  const set = ({ stoppedAt, aheadSeconds }: Time) =>
    owner.query("update test_clock.time set stopped_at = $1, ahead = make_interval(secs => $2)", [
      stoppedAt ?? null,
      aheadSeconds,
    ]);
  await set(time);
  return set;
}
