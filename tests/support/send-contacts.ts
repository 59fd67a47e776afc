import { asCaller, type Claims } from "#backend/database/as-caller";
import { type TestDatabase, visitor } from "./database.ts";

export const office = "203.0.113.7";
/** So many contacts of one sender within an hour are no spam. */
export const contactsMax = 30;
/** What further contacts get when far more were sent. */
export const tooMany = {
  code: "PT429",
  message: "Too many contacts came from your network. Please try again later.",
};

export const insertOne =
  "insert into contacts (name, company, email, interest) values ($1, 'Engines', $2, 'consulting')";
export const insertMany =
  "insert into contacts (name, email, interest) select 'Ada', gen_random_uuid() || '@x.org', 'consulting' from generate_series(1, $1)";

/** The context of a request from this IP address. */
export function from(address: string) {
  return { method: "POST", path: "/contacts", headers: { "x-forwarded-for": address } };
}

/** Sends contacts from chosen IP addresses to a test database, and counts what became of them. */
export function contactsOf(database: TestDatabase) {
  let sent = 0;

  /** Runs one SQL statement as the data API does for a request from this IP address. */
  function as(claims: Claims, address: string, sql: string, values: unknown[] = []) {
    return asCaller(database.caller, claims, (db) => db.query(sql, values), { request: from(address) });
  }

  function send(address: string, email = `${++sent}@example.com`, name = "Ada") {
    return as(visitor, address, insertOne, [name, email]);
  }

  async function count(rows: string): Promise<number> {
    return (await database.owner.query(`select from ${rows}`)).rowCount ?? 0;
  }

  return {
    as,
    send,
    async sendMany(count: number, address: string | ((n: number) => string)) {
      for (let n = 1; n <= count; n++) await send(typeof address === "string" ? address : address(n));
    },
    /** Sends `size` contacts in one request. */
    sendList: (address: string, size: number) => as(visitor, address, insertMany, [size]),
    /** Makes all counted contacts older by `interval`. */
    age: (interval: string) =>
      database.owner.query("update private.contact_senders set stored_at = stored_at - $1::interval", [interval]),
    storedInAll: () => count("contacts"),
    storedAsSpam: () => count("contacts where spam_reason is not null"),
    /** Contacts of unknown senders are remembered for the 30-second rule, but they do not count. */
    countedInAll: () => count("private.contact_senders where address_hash <> 'unknown'"),
  };
}
