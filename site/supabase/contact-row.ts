// Written by tests/policies/row-types.test.ts from the catalogue of the database.

/** A row of `contacts`, as the data API sends it; times have the format of RFC 3339. */
export interface ContactRow {
  id: string;
  name: string;
  company: string;
  email: string;
  interest: "consulting" | "co-development" | "partnerships";
  submitted_at: string;
  spam_reason: string | null;
  referrer: string;
  campaign: string;
  first_page: string;
  state: "new" | "handled" | "archived" | "spam" | "deleted";
  state_changed_at: string;
  handled_by: string | null;
  handled_by_since: string | null;
  read_by: string | null;
  read_at: string | null;
  note: string;
  note_by: string | null;
  note_at: string | null;
  note_version: number;
  announced: boolean;
  search_text: string;
}
