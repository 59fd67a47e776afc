import { expect, test } from "vitest";
import { inboxWords } from "#content/inbox";
import { fc } from "#tests/support/seeded-fast-check";
import type { StoredContact } from "../../../supabase/read-contacts";
import { formatTime } from "../data/contact-text";
import { cellsOf, csvRows, harmless } from "./contacts-csv";

/** Characters of formulas, separators, quotes, white space and control characters, and ordinary text between them. */
const cell = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        ...["=", "+", "-", "@", "＝", '"', "'", ",", ";", "\t", "\r", "\n", "\r\n", " "].concat([
          "\u00a0",
          "\ufeff",
          "\u200b",
          "\0",
          "\u001b",
          "|",
          "cmd",
          "1",
          "é",
          "名",
        ]),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 });

test("a file that is read back by RFC 4180 has the same rows and cells, made harmless", () => {
  fc.assert(
    fc.property(rows, (written) => {
      expect(parse(csvRows(written))).toEqual(written.map((cells) => cells.map(harmless)));
    }),
    { numRuns: 500 },
  );
});

test("no cell begins as a formula, whichever of comma, semicolon and tab a program takes for the separator", () => {
  fc.assert(
    fc.property(cell, (text) => {
      for (const piece of harmless(text).split(/[;\t\r\n]/))
        expect(piece).not.toMatch(/^[\s\p{C}\p{Z}]*[=+\-@＝＋－＠]/u);
      expect(harmless(text)).not.toMatch(/^\p{Cc}/u);
      // Nothing is lost: only apostrophes are added.
      expect(harmless(text).replaceAll("'", "")).toBe(text.replaceAll("'", ""));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["=1+1", "'=1+1"],
  [" \t@SUM(A1)", "' \t'@SUM(A1)"],
  ["Heron;=cmd|' /C calc'!A0", "Heron;'=cmd|' /C calc'!A0"],
  ["+49 30 1234567", "'+49 30 1234567"],
  ["\u0000x", "'\u0000x"],
])("%j becomes %j", (text, written) => expect(harmless(text)).toBe(written));

test.each([
  "Heron & Daughters",
  "ada.heron+news@example.com",
  "0049 30 123-45",
  "2026-11-22T08:00:00Z",
  "O'Brien",
  "—",
  "",
])("%j stays as it is", (text) => expect(harmless(text)).toBe(text));

// PostgreSQL has times that JavaScript has not.
test.each(["infinity", "-infinity", "294276-01-01T00:00:00+00:00", "0044-03-15T00:00:00+00:00 BC"])(
  "a contact from %s is shown with this time, and is in the file",
  (time) => {
    expect(formatTime(time)).toBe(inboxWords.noTime(time));
    const contact = { submitted_at: time, state_changed_at: time, state: "handled" } as StoredContact;
    expect(cellsOf(contact).filter((cell) => cell?.includes(time))).toEqual([time, inboxWords.noTime(time), time]);
  },
);

/** A reader by the grammar of RFC 4180. */
function parse(text: string): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const read: string[][] = [];
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (!found) throw new Error("This is no CSV.");
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === ",") continue;
    read.push(row);
    row = [];
  }
  return read;
}
