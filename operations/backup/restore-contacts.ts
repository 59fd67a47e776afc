import type { Pool } from "pg";
import { changeInUse } from "#backend/database/change-in-use";
import { StartError } from "#process/start-error";
import { copyIn, inPieces, readTables, sqlColumns } from "./copy-tables.ts";
import type { Backup } from "./read-backup.ts";
import type { RestoreOptions } from "./restore-backup.ts";
import { withConnection, withoutTriggers } from "./restore-connection.ts";

const contacts = "public.contacts";

/**
 * Adds the contacts of the file to those of the database, which may be a hosted project's and in use. They are not
 * announced, keep all their columns, and refer to no account. A few hundred make a transaction, which a visitor's contact
 * may have to wait for; those that are there already stay as they are, so that an interrupted restore can be run again.
 * Resolves with the number of those that were added.
 */
export async function restoreContacts(
  owner: Pool,
  backup: Backup,
  { progress = () => {} }: RestoreOptions = {},
): Promise<number> {
  return withConnection(owner, async (db) => {
    const summary = backup.manifest.tables.find(({ name }) => name === contacts);
    const table = (await readTables(db, ["public"])).find(({ name }) => name === contacts);
    if (!summary || !table) throw new StartError("There is no table of contacts.");
    const missing = summary.columns.filter((column) => !table.columns.includes(column));
    if (missing.length > 0)
      throw new StartError(
        `The database lacks columns of the backup's contacts: ${missing.join(", ")}. Update it or add them first.`,
      );

    const columns = sqlColumns(summary.columns);
    const note = (text: unknown) => void progress(String(text), 0);
    const inUse = { db, log: { info: note, warn: note } };
    let added = 0;
    for await (const rows of wholeRows(await backup.read(summary))) {
      let count = 0;
      await changeInUse(inUse, `Only ${added} contacts were added (run it again for the others)`, async () => {
        await db.query(`create temp table added on commit drop as select ${columns} from ${contacts} with no data`);
        const isWhole = await copyIn(db, { ...summary, name: "pg_temp.added" }, [rows], "", () => {});
        if (!isWhole) throw new Error("the file has a line that no backup writes, so use another one");
        await withoutTriggers(db, [table], async () => {
          const insert = `insert into ${contacts} (${columns}) select ${columns} from pg_temp.added on conflict do nothing`;
          count = (await db.query(insert)).rowCount ?? 0;
        });
        // Open inboxes look at the revision.
        await db.query("update private.contact_revision set revision = revision + 1");
      });
      added += count;
      await progress("Adding contacts", added);
    }
    return added;
  });
}

const rowBytesMax = 16 * 1024 * 1024;

/** Pieces of about 64 KB that end with a row. */
async function* wholeRows(text: AsyncIterable<Buffer>) {
  let rest = Buffer.alloc(0);
  for await (const piece of inPieces(text)) {
    rest = Buffer.concat([rest, piece]);
    const end = rest.lastIndexOf("\n") + 1;
    if (end > 0) yield rest.subarray(0, end);
    rest = rest.subarray(end);
    if (rest.length > rowBytesMax)
      throw new StartError("The backup has a contact of more than 16 MB, which no site stores.");
  }
}
