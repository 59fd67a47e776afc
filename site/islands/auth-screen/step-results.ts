import { linkWords, refusalWords } from "#content/auth";
import { type FlashMessageKind, storeFlashMessage } from "../../flash-message/flash-storage";
import type { Failure } from "../../supabase/result";
import { takeReturnAddress } from "../../supabase/return-address";
import type { Next } from "./step-types";

/** The next step, or the error that keeps the person at this step. */
export type StepResult = { next: Next } | { error: string; isWrongCode?: boolean };

/** The landing page with a message. A new password leads back like a login, also from the tab of a mailed link. */
export function endWith(message: FlashMessageKind, address = "/"): Next {
  const back = message === "new-password" ? takeReturnAddress("any tab") : undefined;
  if (!back) storeFlashMessage(message);
  return { at: "end", address: back ?? address };
}

/** After a login: the page that led to it, else the landing page (docs/specification.md#way-back-after-a-login). */
export function endLogin(from: "this tab" | "any tab"): Next {
  const address = takeReturnAddress(from);
  return address ? { at: "end", address } : endWith("logged-in");
}

/** Returns our own text for a known error code, else the server's message. */
export function messageFor({ code, message }: Failure, fallback: string = linkWords.failed): string {
  return refusalWords(code, message) ?? message ?? fallback;
}
