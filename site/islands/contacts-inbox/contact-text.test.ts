import { expect, test } from "vitest";
import { inboxWords } from "#content/inbox";
import type { StoredContact } from "../../supabase/read-contacts";
import { formatTime } from "./contact-text";
import { cellsOf } from "./export/contacts-file";

// PostgreSQL has times that JavaScript has not.
test.each(["infinity", "-infinity", "294276-01-01T00:00:00+00:00", "0044-03-15T00:00:00+00:00 BC"])(
  "a contact from %s is shown with this time, and is in the file",
  (time) => {
    expect(formatTime(time)).toBe(inboxWords.noTime(time));
    const contact = { submitted_at: time, state_changed_at: time, state: "handled" } as StoredContact;
    expect(cellsOf(contact).filter((cell) => cell?.includes(time))).toEqual([time, inboxWords.noTime(time), time]);
  },
);
