import { linkWords, refusalWords } from "#content/auth";
import { type FlashMessageKind, storeFlashMessage } from "../../flash-message/flash-storage";
import type { Failure } from "../../supabase/result";
import { takeReturnAddress } from "../../supabase/return-address";
import type { Next } from "./step-types";

/** The next step, or the error that keeps the person at this step. */
export type StepResult = { next: Next } | { error: string; isWrongCode?: boolean };

export function endWith(message: FlashMessageKind, address = "/"): Next {
  storeFlashMessage(message);
  return { at: "end", address };
}

/**
 * After a login: the landing page, or the page that sent the person to the login, if its address has a query, such as the
 * contact of a mailed link (docs/specification.md#way-back-after-a-login).
 */
export function endLogin(): Next {
  const address = takeReturnAddress();
  return address?.includes("?") ? { at: "end", address } : endWith("logged-in");
}

/** Returns our own text for a known error code, else the server's message. */
export function messageFor({ code, message }: Failure, fallback: string = linkWords.failed): string {
  return refusalWords(code, message) ?? message ?? fallback;
}
