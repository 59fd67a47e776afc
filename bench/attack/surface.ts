import pg from "pg";
import { pino } from "pino";
import { buildApp } from "#server/app";
import type { SigningKeys } from "#server/auth/tokens/signing-keys";
import { CapturedMailbox } from "#server/mail/dev-mailbox";
import { readAssets } from "#server/pages/assets";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";

export interface Route {
  method: string;
  /** As Fastify knows it: `/rest/v1/*`, `/auth/v1/sessions/:id`. */
  url: string;
}

/** Everything that a stranger can address. */
export interface Surface {
  routes: readonly Route[];
  /** The addresses of built pages and files, one of each kind of file. */
  pages: readonly string[];
  /** The tables, views and functions in schema public, with their columns and parameters. */
  tables: ReadonlyMap<string, readonly string[]>;
  functions: ReadonlyMap<string, readonly string[]>;
}

export async function readSurface(database: pg.Pool): Promise<Surface> {
  const lists = async (sql: string) => {
    const { rows } = await database.query<{ name: string; parts: string[] }>(sql);
    return new Map(rows.map(({ name, parts }) => [name, parts]));
  };
  return {
    ...(await readApp()),
    tables: await lists(
      `select relname as name, array_agg(attname::text order by attnum) as parts
       from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f') group by relname order by 1`,
    ),
    functions: await lists(
      `select distinct on (proname) proname as name, coalesce(proargnames, '{}') as parts
       from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`,
    ),
  };
}

/**
 * Asks the app itself for its routes, so that a new route is attacked too. The app that is asked has no database and
 * does not listen.
 */
async function readApp(): Promise<Pick<Surface, "routes" | "pages">> {
  const settings = readSettings(testSiteSettings);
  const assets = await readAssets(settings.buildDir);
  const unused = new pg.Pool();
  const keys = {} as SigningKeys;
  const backend = { owner: unused, caller: unused, keys, mailbox: new CapturedMailbox() };
  const app = buildApp({ settings, backend, assets, log: pino({ level: "silent" }) });
  const routes: Route[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  await app.ready();
  await app.close();
  return { routes, pages: oneOfEachKind([...assets.keys()]) };
}

/** All pages, and the first file of each other kind. */
function oneOfEachKind(paths: readonly string[]): string[] {
  const kindOf = (path: string) => /\.\w+$/.exec(path)?.[0];
  const kinds = new Set<string>();
  return paths.filter((path) => {
    const kind = kindOf(path);
    if (kind === undefined) return true;
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst;
  });
}
