// Written by tests/policies/row-types.test.ts from the catalogue of the database.

/** The rows of these tables, as the driver returns them. */
export interface Rows {
  "auth.mfa_factors": {
    id: string;
    user_id: string;
    friendly_name: string;
    factor_type: string;
    status: "unverified" | "verified";
    created_at: Date;
    updated_at: Date;
    secret: string;
    last_used_step: string | null;
    session_id: string | null;
  };
  "auth.sessions": {
    id: string;
    user_id: string;
    aal: "aal1" | "aal2";
    amr: unknown;
    factor_id: string | null;
    family_hash: Buffer;
    created_at: Date;
    refreshed_at: Date | null;
  };
  "auth.users": {
    id: string;
    aud: string;
    role: string;
    raw_app_meta_data: unknown;
    raw_user_meta_data: unknown;
    email: string | null;
    invited_at: Date | null;
    confirmation_sent_at: Date | null;
    email_confirmed_at: Date | null;
    encrypted_password: string | null;
    password_set_after_confirmation: boolean;
    recovery_sent_at: Date | null;
    email_change: string | null;
    email_change_sent_at: Date | null;
    email_change_confirmed_by: "current" | "new" | null;
    last_sign_in_at: Date | null;
    banned_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
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
    state: "new" | "handled" | "archived" | "spam";
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
