import { expect, test } from "vitest";
import { contactMessages } from "#content/messages";
import { exampleText } from "#tests/support/example";
import { fc } from "#tests/support/seeded-fast-check";
import { cleanEmail, cleanText, interests, isContactEmail, lengthMax, readContact } from "#validation/contact";
import cases from "../fixtures/contact-cases.json" with { type: "json" };
import { createDatabase, visitor } from "../support/database.ts";

const database = await createDatabase();

type Fields = Record<"name" | "company" | "email" | "interest", string | null>;
const ada = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };

test.each(cases.filter(({ field }) => field !== "email"))(
  "the database cleans the $field: $why",
  async ({ field, raw, clean }) => {
    expect(await stored({ ...ada, [field]: raw })).toMatchObject({ [field]: clean });
  },
);

test("the database cleans and refuses the email addresses in contact-cases.json as the browser does", async () => {
  const addresses = cases.filter(({ field }) => field === "email");
  const accepted = "case when private.is_contact_email(private.clean_email(raw)) then private.clean_email(raw) end";
  const emails = await cleanWith(
    accepted,
    addresses.map(({ raw }) => raw),
  );
  expect(emails).toEqual(addresses.map(({ clean }) => clean));
});

test("the database cleans any text as the browser does; a second cleaning changes nothing", async () => {
  const raws = fc.sample(awkwardText, 400);
  const inBrowser = raws.map((raw) => cleanText(raw, lengthMax.name));
  expect(await cleanedTexts(raws)).toEqual(inBrowser);
  expect(await cleanedTexts(inBrowser)).toEqual(inBrowser);
});

test("the database and the browser remove and count as visible the same characters of Unicode", async () => {
  for (const plane of planes) {
    const characters = charactersOf(plane);
    const all = `a${characters.join("")}b`;
    const { rows } = await database.owner.query<{ cleaned: string; invisible: string }>(
      `select private.clean_text($1, 70000) as cleaned,
         string_agg(letter, '') filter (where private.clean_text(letter, 120) = '') as invisible
       from regexp_split_to_table($2, '') letter`,
      [all, characters.join("")],
    );
    expect(rows[0]?.cleaned === cleanText(all, 70000)).toBe(true);
    const invisible = characters.filter((each) => cleanText(each, lengthMax.name) === "");
    expect(rows[0]?.invisible ?? "").toBe(invisible.join(""));
    const listed = characters.filter((each) => /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(each));
    expect(listed.filter((each) => !invisible.includes(each))).toEqual([]);
  }
});

test("the database cleans any email address as the browser does; repeating changes nothing", async () => {
  const raws = fc.sample(awkwardText, 400);
  const inBrowser = raws.map(cleanEmail);
  expect(await cleanedEmails(raws)).toEqual(inBrowser);
  expect(await cleanedEmails(inBrowser)).toEqual(inBrowser);
});

test("the database and the browser remove and refuse the same characters of Unicode in an email address", async () => {
  for (const plane of planes) {
    const characters = charactersOf(plane);
    const { rows } = await database.owner.query<{ removed: string; refused: string }>(
      `select string_agg(letter, '') filter (where private.clean_email(letter || 'a@x.org' || letter) = 'a@x.org') as removed,
         string_agg(letter, '') filter (where not private.is_contact_email(private.clean_email('a' || letter || 'b@x.org'))) as refused
       from regexp_split_to_table($1, '') letter`,
      [characters.join("")],
    );
    const removed = characters.filter((each) => cleanEmail(`${each}a@x.org${each}`) === "a@x.org");
    expect(rows[0]?.removed ?? "").toBe(removed.join(""));
    const refused = characters.filter((each) => !isContactEmail(cleanEmail(`a${each}b@x.org`)));
    expect(rows[0]?.refused ?? "").toBe(refused.join(""));
    const invisible = characters.filter((each) => /[\s\p{Default_Ignorable_Code_Point}]/u.test(each));
    expect(invisible.filter((each) => !removed.includes(each) || !refused.includes(each))).toEqual([]);
  }
});

test("the database lower-cases every letter of Unicode 10 as the browser does", async () => {
  const capitals = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.toLowerCase() !== letter);
  const inDatabase = await cleanedEmails(capitals);
  const different = capitals.filter((letter, index) => inDatabase[index] !== cleanEmail(letter));
  expect(different.filter((letter) => !youngerThanUnicode10.test(letter))).toEqual([]);
});

test("the database refuses the same email addresses as the browser", async () => {
  for (const email of fc.sample(awkwardAddress, 200)) {
    const { problem } = readContact({ ...ada, email });
    const answer = await tryInsert({ ...ada, email });
    expect(answer, JSON.stringify(email)).toBe(problem && "23514");
  }
  const emails = fc.sample(awkwardText, 400).map((text) => `a@${cleanEmail(text).slice(0, 170)}`);
  expect(await cleanWith<boolean>("private.is_contact_email(raw)", emails)).toEqual(emails.map(isContactEmail));
});

test.each([
  ["an empty name", { name: " '' " }, "name"],
  ["a name of invisible characters", { name: "\u200b\u3164" }, "name"],
  ["no name", { name: null }, "name"],
  ["an email address without @", { email: "ada" }, "email"],
  ["an email address in angle brackets", { email: "<ada@example.com>" }, "email"],
  ["an email address of 161 characters", { email: `a@${"b".repeat(159)}` }, "email"],
  ["no email address", { email: null }, "email"],
  ["an unknown interest", { interest: "money" }, "interested"],
  ["no interest", { interest: null }, "interested"],
])("a contact with %s is refused; the refusal names the field, and nothing of the table", async (_, wrong, about) => {
  const [detail] = Object.keys(wrong);
  const refusal = { code: "23514", message: expect.stringMatching(`^Please .*${about}`), detail };
  await expect(insert({ ...ada, ...wrong })).rejects.toMatchObject(refusal);
});

test("a contact with a missing or empty company is stored with an empty company", async () => {
  expect(await stored({ ...ada, company: null })).toMatchObject({ company: "" });
  expect(await stored({ ...ada, company: " ' " })).toMatchObject({ company: "" });
});

test("the table contacts accepts every interest that the contact form offers", async () => {
  for (const interest of interests) expect(await stored({ ...ada, interest })).toMatchObject({ interest });
});

test("of a huge text the database reads the beginning only, and an address is refused rather than cut", async () => {
  expect(await cleanedTexts([`Ada${"x".repeat(1e6)}`, `${" ".repeat(1200)}Ada`])).toEqual([
    `Ada${"x".repeat(117)}`,
    "",
  ]);
  const emails = [`ada@example.com${" ".repeat(4000)}@x.org`, `${"a".repeat(1e6)}@x.org`];
  expect(await cleanWith("private.is_contact_email(private.clean_email(raw))", emails)).toEqual([false, false]);
  expect((await cleanedEmails(emails)).map(({ length }) => length)).toEqual([1000, 1000]);
});

test("the database also cleans a contact when its row is updated", async () => {
  await stored(ada);
  const { rows } = await database.owner.query("update contacts set name = ' <Grace> ', email = 'G@X.org' returning *");
  expect(rows[0]).toMatchObject({ name: "Grace", email: "g@x.org" });
});

test("a row with an email address from before the rule can be updated, but not get another such address", async () => {
  const { owner } = database;
  await owner.query(`begin; set local session_replication_role = replica; delete from contacts;
    insert into contacts (name, email, interest) values ('Ada', E'a"d\\x01a@x.org', 'consulting'); commit`);
  await owner.query("update contacts set name = 'Grace', spam_reason = 'x'");
  const { rows } = await owner.query("select name, email from contacts");
  expect(rows).toEqual([{ name: "Grace", email: 'a"d\u0001a@x.org' }]);
  await expect(owner.query("update contacts set email = 'g\"@x.org'")).rejects.toMatchObject({
    code: "23514",
    message: exampleText(contactMessages.noEmail),
  });
});

test("without the cleaning trigger, the constraints of the table contacts refuse bad values", async () => {
  await database.owner.query('alter table contacts disable trigger "1 clean the contact"');
  for (const wrong of [{ name: "" }, { name: "a".repeat(121) }, { email: "a" }, { interest: "money" }, { name: null }])
    await expect(insert({ ...ada, ...wrong })).rejects.toMatchObject({ code: /^(23514|23502)$/ });
  await database.owner.query('alter table contacts enable trigger "1 clean the contact"');
});

/**
 * Capital letters that Unicode got after version 10. The embedded PostgreSQL uses the library ICU 60, which knows only
 * Unicode 10, so PostgreSQL does not lower-case these letters.
 */
const youngerThanUnicode10 =
  /[\u1c89-\u1cbf\u2c2f\ua7b8-\ua7f5\u{10570}-\u{10595}\u{10d50}-\u{10d65}\u{16e40}-\u{16e5f}\u{16ea0}-\u{16eb8}]/u;

/**
 * Characters that cleaning treats specially. `awkwardText` generates texts from these and other characters. Many of the
 * texts are longer than the limit for a name. Σ stands between letters of ASCII, because its lower case at the end of a
 * word, ς, depends on which neighbours are letters, and Unicode has changed that for 890 characters since version 10.
 */
const special = [
  ..."\t\n\r\u000b\f\u0085\u2028\u2029 \u00a0\u1680\u2003\u200b\ufeff\u3000<>\"'@\\%aÉİ🌿𐐀",
  ...["\r\n", "e\u0301", "aΣ ", "aΣa"],
];
const awkwardText = fc
  .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: "binary", maxLength: 3 })), {
    maxLength: 200,
  })
  .map((parts) => parts.join("").replaceAll("\0", ""))
  .filter((text) => !youngerThanUnicode10.test(text));
const awkwardAddress = fc
  .array(
    fc.constantFrom("a", "@", " ", "\u2003", "\t", "<", '"', "'", "\u0085", "é", "e\u0301", ".", "\u200b", "\u202e"),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""));

/** The other planes of Unicode have only letters of Chinese, or none. */
const planes = [0, 1, 14];

/** PostgreSQL stores no U+0000, and halves of surrogate pairs are no characters. */
function charactersOf(plane: number): string[] {
  return Array.from({ length: 0x10000 }, (_, index) => plane * 0x10000 + index)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
}

function cleanedTexts(raws: string[]): Promise<string[]> {
  return cleanWith("private.clean_text(raw, 120)", raws);
}

function cleanedEmails(raws: string[]): Promise<string[]> {
  return cleanWith("private.clean_email(raw)", raws);
}

async function cleanWith<T = string>(call: string, raws: string[]): Promise<T[]> {
  const sql = `select ${call} as clean from unnest($1::text[]) with ordinality as t (raw, position) order by position`;
  const { rows } = await database.owner.query<{ clean: T }>(sql, [raws]);
  return rows.map(({ clean }) => clean);
}

/** Stores a contact as the only one in the table, and returns its row. */
async function stored(fields: Fields) {
  await database.owner.query("delete from contacts");
  await insert(fields);
  const { rows } = await database.owner.query("select * from contacts");
  expect(rows).toHaveLength(1);
  return rows[0];
}

/** Resolves with the SQLSTATE of the refusal, or with undefined if the contact is stored. */
async function tryInsert(fields: Fields): Promise<string | undefined> {
  await database.owner.query("delete from contacts");
  return insert(fields).then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );
}

function insert({ name, company, email, interest }: Fields) {
  const sql = "insert into contacts (name, company, email, interest) values ($1, $2, $3, $4)";
  return database.as(visitor, (db) => db.query(sql, [name, company, email, interest]));
}
