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
}
