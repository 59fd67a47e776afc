import type { Pool } from "pg";
import type { PasswordHasher } from "#server/auth/passwords/password-hasher";
import type { Settings } from "#server/settings";
import type { Input } from "./read-password.ts";

/** What was typed, and what the operator has set. */
export interface CommandInput {
  email: string | undefined;
  admin: boolean;
  passwordFromStdin: boolean;
  /** Where a password is read from. */
  input: Input;
  hasher: PasswordHasher;
  settings: Pick<Settings, "siteUrl" | "passwordCharactersMin" | "signUps">;
}

/** The work on the database, once everything has been asked for. Resolves with what to tell. */
export type CommandWork = (owner: Pool) => Promise<string>;
