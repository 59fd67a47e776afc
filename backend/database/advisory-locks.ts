/** PostgreSQL identifies advisory locks by number alone, so two uses of one number would block each other. */
export const advisoryLocks = {
  onlyServer: 7_264_113,
  migrations: 7_264_114,
  signingKeys: 7_264_117,
  contactDigest: 7_264_118,
  recurringJobs: 7_264_120,
} as const;
