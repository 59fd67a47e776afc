/** When sessions end by themselves; upstream's inactivity timeout and time-box. */
export interface SessionLimits {
  /** A session ends so many days after its last use. */
  sessionIdleDays: number;
  /** And so many days after it began, however often it is used. */
  sessionMaxDays: number;
}

/** The columns of `auth.sessions` that tell when one ends. A refresh moves the first, an opened page the second. */
export interface SessionTimes {
  created_at: Date;
  refreshed_at: Date | null;
  used_at: Date | null;
}

/** The row may outlive its session: expired ones are removed a few at a time. */
export function isExpired(session: SessionTimes, limits: SessionLimits, now: Date): boolean {
  const { created_at, refreshed_at, used_at } = session;
  const lastUsedAt = Math.max(...[created_at, refreshed_at, used_at].map((time) => time?.getTime() ?? 0));
  const { lastUsedBefore, createdBefore } = expiryOf(limits, now);
  return lastUsedAt < lastUsedBefore.getTime() || created_at < createdBefore;
}

/** Sessions last used, or begun, before these moments are over. */
export function expiryOf({ sessionIdleDays, sessionMaxDays }: SessionLimits, now: Date) {
  return { lastUsedBefore: daysBefore(now, sessionIdleDays), createdBefore: daysBefore(now, sessionMaxDays) };
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
}
