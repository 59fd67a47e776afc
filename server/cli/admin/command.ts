import type { Readable } from "node:stream";
import type { Pool } from "pg";
import type { PasswordHasher } from "#server/auth/passwords/password-hasher";
import type { Settings } from "#server/settings";

/** Standard input, or its replacement in a test: either a terminal, or a text that ends. */
export type Input = Readable & { isTTY?: boolean };

/** The arguments of a command, and the settings. */
export interface CommandInput {
  email: string | undefined;
  admin: boolean;
  passwordFromStdin: boolean;
  /** Where a password is read from. */
  input: Input;
  hasher: PasswordHasher;
  settings: Pick<Settings, "siteUrl" | "passwordCharactersMin" | "signUps">;
}

/**
 * The part of a command that needs the database. It runs after all input was read, and resolves with the text to print.
 */
export type CommandWork = (owner: Pool) => Promise<string>;

/** Why a command cannot do its work: a sentence for the operator, printed without a stack. */
export class CommandError extends Error {}

export function noAccount(email: string) {
  return new CommandError(`${email} has no account. To make one: npm run admin -- create ${email}`);
}
