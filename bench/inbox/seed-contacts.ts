import type { Pool } from "pg";

/** The rows of one statement: few enough that the progress moves. */
const batch = 100_000;

const firstNames =
  "Ada,Anna,Johanna,Bela,Clara,David,Elena,Felix,Grace,Hugo,Ida,Jonas,Karla,Liam,Mia,Noah,Olga,Paul,Rosa,Samir";
const lastNames =
  "Heron,Finch,Brook,Miller,Stone,Winter,Summers,Baker,Young,Archer,Weaver,Carter,Marsh,Lark,Hill,Woods,Lane,Frost";
const companies = "Acme,Borealis,Cobalt,Delta,Ember,Fjord,Granite,Harbor,Iris,Juniper,Kestrel,Linden";

/** Every number of a contact has the same words in each run. */
const pick = (list: string, seed: number) =>
  `(string_to_array('${list}', ','))[1 + (hashint4(n * ${seed}) & 65535) % ${list.split(",").length}]`;

const insertContacts = `
  insert into contacts (name, company, email, interest, submitted_at, state)
  select first || ' ' || last,
    case when n % 9 = 0 then '' else company || ' Ltd' end,
    lower(first || '.' || last) || n || '@' || lower(company) || '.example',
    (array['consulting', 'consulting', 'co-development', 'partnerships'])[1 + n % 4],
    now() - n * (interval '2 years' / $3::integer),
    case when n % 20 = 7 then 'spam' when n < 100 then 'new' when n % 3 = 0 then 'handled' else 'archived' end
  from generate_series($1::integer, $2::integer) n
  cross join lateral (
    select ${pick(firstNames, 1)} as first,
      case n % 50000 when 77 then 'Quyzwick' else ${pick(lastNames, 7)} end as last,
      ${pick(companies, 13)} as company
  ) words`;

/**
 * Stores believable contacts of the last two years: a few are new, every twentieth is spam, and all words are frequent,
 * except a name that every 50,000th has. No trigger runs, and the table is vacuumed and analyzed, as PostgreSQL does in time.
 */
export async function seedContacts(owner: Pool, count: number, progress: (text: string) => void): Promise<void> {
  const db = await owner.connect();
  await db.query("set session_replication_role = replica");
  // An index of text is built faster than it is filled.
  await db.query("drop index if exists contacts_by_text");
  for (let stored = 0; stored < count; stored += batch) {
    const last = Math.min(stored + batch, count);
    await db.query(insertContacts, [stored + 1, last, count]);
    if (count > batch) progress(`${last.toLocaleString("en-GB")} stored`);
  }
  await db.query("select private.index_contact_text()");
  await db.query("vacuum analyze contacts");
  db.release(true);
}
