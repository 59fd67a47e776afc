import { waitSeconds } from "#validation/contact";

const key = "contact-last-sent-at";

/** Checks the wait in this browser. The database checks it too (docs/specification.md#waiting-between-contacts). */
export function isCoolingDown(now = Date.now()): boolean {
  const elapsed = now - Number(read() ?? Number.NaN);
  // A time in the future does not count: the clock was set back, and the form must not stay locked.
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
