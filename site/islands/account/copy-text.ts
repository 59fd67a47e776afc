import { secondFactorWords } from "#content/second-factor";
import type { FormOutcome } from "../../hooks/use-form";

/** Copies a text. Browsers refuse that on pages without HTTPS, for example. */
export async function copyText(copied: string, message: string): Promise<FormOutcome> {
  try {
    await navigator.clipboard.writeText(copied);
    return { tone: "success", message };
  } catch {
    return { tone: "error", message: secondFactorWords.adding.notCopied };
  }
}
