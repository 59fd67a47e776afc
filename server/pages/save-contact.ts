import type { Pool } from "pg";
import { asCaller } from "#server/database/as-caller";
import { requestContextOf } from "#server/database/request-context";
import { noFloodLimits } from "#server/http/flood-limits";
import type { SaveContact } from "./contact-form-without-javascript.ts";

const insert = "insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)";

/**
 * Stores a contact as the data API does for an anonymous visitor, so that the database's rules see the same sender. The
 * insert is repeatable after a lost connection, because the database stores an identical contact only once
 * (docs/specification.md#identical-contact).
 */
export function createSaveContact(caller: Pool, limits = noFloodLimits): SaveContact {
  return async ({ name, company, email, interest }, request) => {
    limits.takeContacts(request.ip, 1);
    const save = () =>
      asCaller(caller, { role: "anon" }, (db) => db.query(insert, [name, company, email, interest]), {
        repeatable: true,
        request: requestContextOf(request, "/contact"),
      });
    await limits.withConnection(request, save);
  };
}
