import { refusalWords } from "#content/auth";
import { secondFactorWords } from "#content/second-factor";
import type { Failure } from "../../supabase/result";

/** The sentence about a refusal: ours, else the server's, else `otherwise`. */
export function refusalOf({ code = "", message }: Failure, otherwise: string = secondFactorWords.failed): string {
  return secondFactorWords.refusals[code] ?? refusalWords(code, message) ?? message ?? otherwise;
}
