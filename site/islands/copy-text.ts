import type { FormOutcome } from "../hooks/use-form";

/** Copies a text. Browsers refuse that on pages without HTTPS, for example. */
export async function copyText(text: string, words: { copied: string; notCopied: string }): Promise<FormOutcome> {
  try {
    await navigator.clipboard.writeText(text);
    return { tone: "success", message: words.copied };
  } catch {
    return { tone: "error", message: words.notCopied };
  }
}
