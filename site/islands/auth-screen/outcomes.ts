import { linkWords, refusalWords } from "#content/auth";
import { type FlashMessageKind, storeFlashMessage } from "../../flash-message/flash-storage";
import type { Failure } from "../../supabase/result";
import type { Next } from "./step-types";

/** The next step, or the error that keeps the person at this step. */
export type StepResult = { next: Next } | { error: string; isWrongCode?: boolean };

export function endWith(message: FlashMessageKind, address = "/"): Next {
  storeFlashMessage(message);
  return { at: "end", address };
}

/** Returns our own text for a known error code, else the server's message. */
export function messageFor({ code, message }: Failure, fallback: string = linkWords.failed): string {
  return refusalWords(code, message) ?? message ?? fallback;
}
