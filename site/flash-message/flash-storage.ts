export const flashMessageKey = "flash-message";
const codesKey = "recovery-codes-left";

/** What happened just before the landing page was loaded. The message reports it. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password" | "email-changed";

/** Stores a message for the next page. */
export function storeFlashMessage(kind: FlashMessageKind) {
  try {
    window.sessionStorage.setItem(flashMessageKey, kind);
  } catch {
    // The browser's storage is switched off, so the next page shows no message.
  }
}

/** Stores how many recovery codes are left after one was used, for the next message. */
export function storeRecoveryCodesLeft(left: number) {
  try {
    window.sessionStorage.setItem(codesKey, String(left));
  } catch {
    // As above: nothing is shown then.
  }
}

/** Returns the stored message and removes it, so that it is shown only once. */
export function takeFlashMessage(): { kind: FlashMessageKind; recoveryCodesLeft: number | undefined } | undefined {
  try {
    const kind = window.sessionStorage.getItem(flashMessageKey) as FlashMessageKind | null;
    const left = window.sessionStorage.getItem(codesKey);
    for (const each of [flashMessageKey, codesKey]) window.sessionStorage.removeItem(each);
    return kind === null ? undefined : { kind, recoveryCodesLeft: left === null ? undefined : Number(left) };
  } catch {
    return undefined;
  }
}
