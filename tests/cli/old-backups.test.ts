import { copyFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { runRestore } from "#operations/commands/backup/run-restore";
import { startAuth } from "#tests/support/auth-server";
import { at, createBackupFixture, hostileNote, run } from "#tests/support/backup-fixture";
import { createDatabase, createEmptyDatabase, type TestDatabase } from "#tests/support/database";
import packageJson from "../../package.json" with { type: "json" };

// A version restores the backups of its major number and of the one before (CHANGELOG.md). Each file was written by the
// version that it is named after, and has a row in nearly every table (tests/support/lived-in-account.ts).
const folder = "tests/fixtures/backups";

// Before a release: WRITE_BACKUP=1 npx vitest run tests/cli/old-backups.test.ts
if (process.env.WRITE_BACKUP) {
  const { file } = await createBackupFixture();
  await copyFile(file, `${folder}/${packageJson.version}.zip`);
}

test.each(await readdir(folder))(
  "the backup %s is restored as on a fresh install, and its account signs in",
  async (name) => {
    const database = await createEmptyDatabase();
    const { code, err } = await run(runRestore, [`${folder}/${name}`], at(database));
    const fresh = await createDatabase();
    const catalogues = [await catalogueOf(database), await catalogueOf(fresh)];
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(catalogues[0]).toEqual(catalogues[1]);

    const words = { email: "quokka@example.com", password: "more feathers" };
    const server = await startAuth({ database });
    expect(await server.client().auth.signInWithPassword(words)).toMatchObject({
      error: null,
      data: { user: { factors: [{ friendly_name: "Phone", status: "verified" }] } },
    });

    const { rows } = await database.owner.query(
      'select name, state, note, referrer, spam_reason from contacts order by name collate "C"',
    );
    const contact = { state: "new", note: "", referrer: "", spam_reason: null };
    expect(rows).toEqual([
      { ...contact, name: "A", state: "handled", note: hostileNote, referrer: "news.example" },
      { ...contact, name: "B", state: "archived" },
      { ...contact, name: "C", state: "spam", spam_reason: "Too many" },
      { ...contact, name: "D", state: "deleted" },
      { ...contact, name: "Other", note: "Knows QUOKKA@EXAMPLE.COM, and not.quokka@example.com too." },
      { ...contact, name: "quokka" },
    ]);
  },
);

/** Every object of our schemas with its definition and its rights, as text. */
async function catalogueOf({ owner }: TestDatabase): Promise<string[]> {
  const { rows } = await owner.query<{ object: string }>(`
    with ours as (select oid, nspname, nspacl from pg_namespace where nspname in ('public', 'auth', 'private', 'extensions')),
    relations as (select c.* from pg_class c join ours on ours.oid = relnamespace)
    select concat_ws(' ', 'schema', nspname, nspacl) as object from ours
    union all select concat_ws(' ', oid::regclass, relkind, relpersistence, relrowsecurity, reloptions, relacl,
      case when relkind = 'v' then pg_get_viewdef(oid) end) from relations
    union all select concat_ws(' ', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
      attidentity, attgenerated, attcollation::regcollation, attacl, pg_get_expr(adbin, adrelid))
      from pg_attribute join relations c on c.oid = attrelid and attnum > 0 and relkind <> 'i'
      left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
    union all select pg_get_indexdef(indexrelid) from pg_index join relations c on c.oid = indrelid
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join relations c on c.oid = conrelid
    union all select concat_ws(' ', tgenabled, pg_get_triggerdef(t.oid))
      from pg_trigger t join relations c on c.oid = tgrelid where not tgisinternal
    union all select concat_ws(' ', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
      from pg_policy join relations c on c.oid = polrelid
    union all select concat_ws(' ', proacl, pg_get_functiondef(p.oid)) from pg_proc p join ours on ours.oid = pronamespace
    union all select concat_ws(' ', enumtypid::regtype, enumsortorder, enumlabel)
      from pg_enum join pg_type t on t.oid = enumtypid join ours on ours.oid = typnamespace
    order by 1`);
  return rows.map(({ object }) => object);
}
