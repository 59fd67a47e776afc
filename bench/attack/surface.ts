import pg from "pg";
import type { SigningKeys } from "#backend/auth/tokens/signing-keys";
import { CapturedMailbox } from "#server/mail/dev-mailbox";
import { readSettings } from "#server/settings";
import { readAssets } from "#server/static-site/assets";
import { testSiteSettings } from "#tests/support/site";
import { startServer } from "../../tests/policies/access-http.ts";

export interface Route {
  method: string;
  /** As Fastify knows it: `/rest/v1/*`, `/auth/v1/sessions/:id`. */
  url: string;
}

/** Everything that a stranger can address. */
export interface Surface {
  routes: readonly Route[];
  /** The addresses of built pages and files. */
  pages: readonly string[];
  /** The tables and views in schema public with their columns, and the functions, as `rpc/name`, with their parameters. */
  relations: ReadonlyMap<string, readonly string[]>;
  /** The second factors of the seeded accounts. */
  factorIds: readonly string[];
}

/**
 * Asks the app itself for its routes, and the database for its tables, so that a new one is attacked too. The app that
 * is asked has no database and does not listen.
 */
export async function readSurface(database: pg.Pool): Promise<Surface> {
  const assets = await readAssets(readSettings(testSiteSettings).buildDir);
  const unused = new pg.Pool();
  const backend = { owner: unused, caller: unused, keys: {} as SigningKeys, mailbox: new CapturedMailbox() };
  const { app, routes } = await startServer({ backend, assets });
  await app.close();
  const relations = await database.query<{ name: string; parts: string[] }>(
    `select relname as name, array_agg(attname::text order by attnum) as parts
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') group by relname
     union all
     select 'rpc/' || proname, coalesce(proargnames, '{}') from pg_proc where pronamespace = 'public'::regnamespace
     order by 1, 2`,
  );
  const factors = await database.query<{ id: string }>("select id from auth.mfa_factors order by id");
  return {
    routes: routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url }))),
    pages: [...assets.keys()],
    relations: new Map(relations.rows.map(({ name, parts }) => [name, parts])),
    factorIds: factors.rows.map(({ id }) => id),
  };
}
