import { waitSeconds } from "#validation/contact";

const key = "contact-last-sent-at";

/**
 * When this browser may send the next contact; undefined if it may at once. The database has the same rule
 * (docs/specification.md#waiting-between-contacts).
 */
export function findNextSend(now = Date.now()): number | undefined {
  const sentAt = Number(read() ?? Number.NaN);
  const next = sentAt + waitSeconds * 1000;
  // If the stored time is in the future, the clock was set back since then. That must not lock the form.
  return sentAt <= now && now < next ? next : undefined;
}

export function rememberSent(now = Date.now()) {
  try {
    window.localStorage.setItem(key, String(now));
  } catch {
    // Storage is switched off: only the database checks the wait.
  }
}

function read(): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}
