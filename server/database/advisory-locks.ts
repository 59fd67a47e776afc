/**
 * The advisory locks of the server. PostgreSQL identifies them by number alone, for the whole database, so two uses of
 * one number would block each other.
 */
export const advisoryLocks = {
  onlyServer: 7_264_113,
  migrations: 7_264_114,
  signingKeys: 7_264_117,
  contactDigest: 7_264_118,
  contactRetention: 7_264_120,
  dailyBackup: 7_264_121,
} as const;

/**
 * The migrations append an email address or a sender to one of these texts. The number of the lock is the hash of the
 * combined text.
 */
export const hashedAdvisoryLocks = ["contact from ", "contacts by "] as const;
