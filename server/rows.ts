// Written by tests/policies/row-types.test.ts from the catalogue of the database.

/** The rows of these tables, as the driver returns them. */
export interface Rows {
  "private.jobs": {
    id: string;
    task: string;
    payload: unknown;
    lane: string;
    priority: number;
    attempts: number;
    attempts_max: number;
    run_at: Date;
    created_at: Date;
    last_error: string | null;
    leased_by: string | null;
    leased_until: Date | null;
  };
  "public.contacts": {
    id: string;
    name: string;
    company: string;
    email: string;
    interest: "consulting" | "co-development" | "partnerships";
    submitted_at: Date;
    spam_reason: string | null;
    referrer: string;
    campaign: string;
    first_page: string;
    state: "new" | "handled" | "archived" | "spam" | "deleted";
    state_changed_at: Date;
    handled_by: string | null;
    handled_by_since: Date | null;
    read_by: string | null;
    read_at: Date | null;
    note: string;
    note_by: string | null;
    note_at: Date | null;
    note_version: number;
    announced: boolean;
    search_text: string;
  };
}
