import type { Pool } from "pg";
import type { PasswordHasher } from "#server/auth/passwords/password-hasher";
import type { Settings } from "#server/settings";
import type { CommandDatabase } from "../open-for-command.ts";
import { CommandError } from "../report-problem.ts";
import type { Input } from "../terminal.ts";

/** The arguments of a command, and the settings. */
export interface CommandInput {
  email: string | undefined;
  admin: boolean;
  passwordFromStdin: boolean;
  newPassword: boolean;
  /** The file that `export` writes. */
  output: string | undefined;
  /** Whether a command that destroys does so without a question, and even to the last administrator. */
  yes: boolean;
  lastAdmin: boolean;
  /** Whether the old signing keys end at once, because one of them leaked. */
  now: boolean;
  /** Prints on standard error why a command takes its time. */
  note: (text: string) => void;
  /** Where a password is read from. */
  input: Input;
  hasher: PasswordHasher;
  settings: Pick<Settings, "siteUrl" | "passwordCharactersMin" | "signUps" | "notifyTo">;
}

/**
 * The part of a command that needs the database. It runs after all input was read, and resolves with the text to print.
 */
export type CommandWork = (owner: Pool, database: Pick<CommandDatabase, "isServed">) => Promise<string>;

/** When a change takes effect for the people who log in. */
export function whenServed({ isServed }: Pick<CommandDatabase, "isServed">): string {
  return isServed ? "now" : "once the site runs: npm start";
}

export function noAccount(email: string) {
  return new CommandError(`${email} has no account. To create one: npm run admin -- create ${email}`);
}
