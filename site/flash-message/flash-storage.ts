import { withStorage } from "../supabase/browser-storage";

const kindKey = "flash-message";
const codesKey = "recovery-codes-left";

/** What happened just before the landing page was loaded. The message reports it. */
export type FlashMessageKind = "logged-in" | "confirmed" | "new-password" | "email-changed";

/** Stores a message for the next page. */
export function storeFlashMessage(kind: FlashMessageKind) {
  withStorage("sessionStorage", (storage) => storage.setItem(kindKey, kind));
}

/** Stores how many recovery codes are left after one was used, for the next message. */
export function storeRecoveryCodesLeft(left: number) {
  withStorage("sessionStorage", (storage) => storage.setItem(codesKey, String(left)));
}

/** Returns the stored message and removes it, so that it is shown only once. */
export function takeFlashMessage() {
  return withStorage("sessionStorage", (storage) => {
    const [kind, left] = [kindKey, codesKey].map((key) => storage.getItem(key));
    for (const key of [kindKey, codesKey]) storage.removeItem(key);
    return kind && { kind: kind as FlashMessageKind, recoveryCodesLeft: left ? Number(left) : undefined };
  });
}
