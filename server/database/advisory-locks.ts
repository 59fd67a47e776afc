/**
 * The advisory locks that the server takes. PostgreSQL knows them by numbers alone, for the whole database, so two that
 * share one would wait for each other. `passwordTries` has a second number for each account.
 */
export const advisoryLocks = {
  onlyServer: 7_264_113,
  migrations: 7_264_114,
  accountMails: 7_264_115,
  passwordTries: 7_264_116,
  signingKeys: 7_264_117,
} as const;

/** What the migrations hash into the number of a lock, each followed by what it is taken for. */
export const hashedAdvisoryLocks = ["contact from ", "contacts by "] as const;
