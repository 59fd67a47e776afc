import { createFixtureTables, fillFixtureTables } from "#tests/fixtures/fixture-tables";
import { madeUpToken, startDataApi } from "./data-api.ts";
import { createDatabase, createUser } from "./database.ts";

/** The data API on a database with the filled fixture tables. */
export async function startDataApiWithFixtures() {
  const database = await createDatabase();
  await createFixtureTables(database.owner);
  await fillFixtureTables(database.owner);
  const api = await startDataApi({ caller: database.caller });
  return {
    database,
    api,
    /** A client of a new account. */
    async clientOf({ admin }: { admin: boolean }) {
      return api.client(madeUpToken((await createUser(database, { admin })).claims));
    },
  };
}
