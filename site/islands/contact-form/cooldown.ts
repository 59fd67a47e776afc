import { waitSeconds } from "#validation/contact";

const key = "contact-last-sent-at";

/** Whether the last successful contact from this browser is less than the specified 30 seconds ago (section 5). */
export function isCoolingDown(now = Date.now()): boolean {
  const elapsed = now - Number(read() ?? Number.NaN);
  // A time in the future is a clock that was put back; it must not lock anybody out.
  return elapsed >= 0 && elapsed < waitSeconds * 1000;
}

export function rememberSent(now = Date.now()) {
  try {
    window.localStorage.setItem(key, String(now));
  } catch {
    // Storage is switched off: the database still keeps the rule.
  }
}

function read(): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}
