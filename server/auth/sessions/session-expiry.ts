import { addSeconds } from "../add-seconds.ts";

/**
 * The lifetime of sessions. Upstream calls the two limits inactivity timeout and time-box
 * (docs/protocol.md#session-lifetime).
 */
export interface SessionLimits {
  /** Days from the last use to the end. */
  sessionIdleDays: number;
  /** Days from the beginning to the end, however often the session is used. */
  sessionMaxDays: number;
}

/**
 * The columns of `auth.sessions` that decide when a session ends. A refresh sets `refreshed_at`, and GET /user sets
 * `used_at`.
 */
export interface SessionTimes {
  created_at: Date;
  refreshed_at: Date | null;
  used_at: Date | null;
}

/** Whether the session has expired. Its row may still exist, because expired rows are deleted a few at a time. */
export function isExpired(session: SessionTimes, limits: SessionLimits, now: Date): boolean {
  const { lastUsedBefore, createdBefore } = expiryOf(limits, now);
  return lastUseOf(session) < lastUsedBefore || session.created_at < createdBefore;
}

export function lastUseOf({ created_at, refreshed_at, used_at }: SessionTimes): Date {
  return new Date(Math.max(...[created_at, refreshed_at, used_at].map((time) => time?.getTime() ?? 0)));
}

/** A session has expired if it was last used before `lastUsedBefore`, or created before `createdBefore`. */
export function expiryOf({ sessionIdleDays, sessionMaxDays }: SessionLimits, now: Date) {
  const day = 24 * 60 * 60;
  return {
    lastUsedBefore: addSeconds(now, -sessionIdleDays * day),
    createdBefore: addSeconds(now, -sessionMaxDays * day),
  };
}
