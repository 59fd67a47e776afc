import type { Pool } from "pg";
import { queryAsCaller } from "#backend/database/as-caller";
import { requestContextOf } from "#backend/http/request-context";
import { noFloodLimits } from "#backend/limits/flood-limits";
import type { SaveContact } from "./contact-form-without-javascript.ts";
import { headersOfSource } from "./headers-of-source.ts";

const insert = "insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)";

/**
 * Stores a contact as the data API does for an anonymous visitor, so that the database's rules see the same sender. The
 * insert is repeatable after a lost connection, because the database stores an identical contact only once
 * (docs/specification.md#identical-contact).
 */
export function createSaveContact(caller: Pool, limits = noFloodLimits): SaveContact {
  return async ({ name, company, email, interest }, request) => {
    limits.take("inserted rows", { ip: request.ip });
    const statement = { text: insert, values: [name, company, email, interest] };
    const { headers, ...sender } = requestContextOf(request, "/contact");
    const withSource = { ...sender, headers: { ...headers, ...headersOfSource(request.headers) } };
    const context = { request: withSource };
    const save = () => queryAsCaller(caller, { role: "anon" }, statement, context);
    await limits.withConnection(request, save);
  };
}
