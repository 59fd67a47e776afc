import type { Pool } from "pg";

/** What was typed. */
export interface Order {
  email: string | undefined;
  admin: boolean;
  passwordFromStdin: boolean;
  /** As the settings want it. */
  passwordCharactersMin: number;
}

/** The work on the database, once everything has been asked for. Resolves with what to tell. */
export type Work = (owner: Pool) => Promise<string>;
