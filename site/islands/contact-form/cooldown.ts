import { waitSeconds } from "#validation/contact";

const key = "contact-last-sent-at";

/**
 * Checks whether this browser has sent a contact too recently to send another one. The database checks this too
 * (docs/specification.md#waiting-between-contacts).
 */
export function isCoolingDown(now = Date.now()): boolean {
  const elapsed = now - Number(read() ?? Number.NaN);
  // If the stored time is in the future, the clock was set back since then. That must not lock the form.
  return elapsed >= 0 && elapsed < waitSeconds * 1000;
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
