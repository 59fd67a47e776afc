import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { inboxWords } from "#content/inbox";
import type { StoredContact } from "../../../supabase/read-contacts";
import { cellsOf } from "../export/contacts-file";
import { ContactDetails } from "../panel/contact-details";
import { ContactsTable } from "./contacts-table";

// PostgreSQL has times that JavaScript has not.
test.each(["infinity", "-infinity", "294276-01-01T00:00:00+00:00", "0044-03-15T00:00:00+00:00 BC"])(
  "a contact from %s is a row, a panel and a line of the file that show this time",
  (time) => {
    const contact: StoredContact = {
      id: "0b7a4f4e-8f5e-4c52-9f1c-3a8f1f6d2c11",
      name: "Bea Wren",
      company: "",
      email: "bea@example.com",
      interest: "consulting",
      submitted_at: time,
      state: "handled",
      state_changed_at: time,
      note: "",
      note_version: 0,
      spam_reason: null,
      announced: true,
    };
    const table = createElement(ContactsTable, { contacts: [contact] });
    expect(renderToStaticMarkup(table)).toContain(inboxWords.noTime(time));
    expect(renderToStaticMarkup(createElement(ContactDetails, { contact }))).toContain(inboxWords.noTime(time));
    expect(cellsOf(contact).filter((cell) => cell.includes(time))).toEqual([time, inboxWords.noTime(time), time]);
  },
);
