import type { PasswordHasher } from "#backend/auth/passwords/password-hasher";
import type { OpenDatabase } from "#backend/database/open-database";
import { StartError } from "#process/start-error";
import type { Settings } from "#server/settings";
import type { Input, Values } from "../terminal.ts";

/** All options; which of them a command takes says its form. */
export const options = {
  admin: { type: "boolean" },
  "password-stdin": { type: "boolean" },
  "new-password": { type: "boolean" },
  output: { type: "string" },
  yes: { type: "boolean" },
  "last-admin": { type: "boolean" },
  now: { type: "boolean" },
  run: { type: "boolean" },
} as const;

export interface CommandInput extends Pick<OpenDatabase, "owner" | "isServed"> {
  /** Empty if the command is not about one address. */
  email: string;
  given: Values<typeof options>;
  /** Empty unless the command takes `--password-stdin`. */
  password: string;
  settings: Settings;
  hasher: PasswordHasher;
  /** Where the answer to a question is read from. */
  input: Input;
  /** Prints on standard error why a command takes its time. */
  note: (text: string) => void;
}

/** When a change takes effect for the people who log in. */
export function whenServed(isServed: boolean | undefined): string {
  if (isServed === undefined) return "as soon as a server runs";
  return isServed ? "now" : "once the site runs: npm start";
}

export function noAccount(email: string) {
  return new StartError(`${email} has no account. To create one: npm run admin -- create ${email}`);
}
