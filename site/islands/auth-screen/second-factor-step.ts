import type { Session } from "@supabase/auth-js";
import { passwordWords } from "#content/auth";
import { secondFactorStepWords } from "#content/second-factor-step";
import { savePassword } from "../../supabase/mail-codes";
import { takeIntent } from "../../supabase/navigation-intents";
import { type Failure, unanswered } from "../../supabase/result";
import {
  appsOf,
  countRecoveryCodes,
  secondFactorOf,
  verifyCode,
  useRecoveryCode as verifyRecoveryCode,
} from "../../supabase/second-factor";
import { renewSession } from "../../supabase/session";
import { endLogin, endWith, messageFor, type StepResult } from "./step-results";
import type { Next, Outcome, SecondFactorStep } from "./step-types";

const text = secondFactorStepWords;

/** The step that a session of this page has to take before `leadsTo`; undefined if it needs none. */
export function secondFactorStepFor(
  session: Session | null,
  leadsTo: SecondFactorStep["leadsTo"],
  password?: string,
): SecondFactorStep | undefined {
  const factors = appsOf(session?.user ?? {}).map(({ id, name }) => ({ id, name: name || text.unnamed }));
  if (secondFactorOf(session) === "none" || factors.length === 0) return undefined;
  return { at: "second-factor", by: "app", leadsTo, factors, isFresh: true, password };
}

/** What follows when the screen finds a session that is stored already (docs/specification.md#redirect-with-a-session). */
export function nextWithSession(session: Session): Next {
  // A login that waits for its second factor may have begun in another tab.
  const step = secondFactorStepFor(session, "back");
  return step ? { ...step, isFresh: false } : { at: "end", address: takeIntent("this tab") ?? "/" };
}

/**
 * Asks the server what the stored session has to do, because an app may have been added or removed on another device.
 * Returns undefined without an answer.
 */
export async function refreshStep(step: SecondFactorStep): Promise<Next | undefined> {
  const renewed = await renewSession();
  if (!renewed.ok) return undefined;
  if (!renewed.value) return sessionEnded();
  const { by, leadsTo, password } = step;
  const next = secondFactorStepFor(renewed.value, leadsTo, password);
  if (next) return { ...next, by };
  // No message, because the person was logged in before; nor back, because that page may have another reason to lead here.
  return leadsTo === "new-password" ? goOn(step) : { at: "end", address: "/" };
}

/** Tries the code of an app. Without a chosen one, the first is meant. */
export async function submitAppCode(step: SecondFactorStep, chosen: string | null, code: string): Promise<StepResult> {
  if (!/^\d{6}$/.test(code)) return { error: text.malformed };
  const known = step.factors.length > 0 ? step : await refreshStep(step);
  if (!known) return { error: messageFor(unanswered) };
  if (known.at !== "second-factor") return { next: known };
  const result = await verifyCode(chosen ?? known.factors[0]?.id ?? "", code);
  return result.ok ? { next: await goOn(step) } : explain(step, result);
}

export async function submitRecoveryCode(step: SecondFactorStep, typed: string): Promise<StepResult> {
  if (!typed.trim()) return { error: text.recovery.malformed };
  const result = await verifyRecoveryCode(typed);
  if (!result.ok) return explain(step, result);
  const left = await countRecoveryCodes();
  // How many codes are left is told also where the way would lead straight back.
  const leadsBack = step.leadsTo === "back" || step.leadsTo === "logged-in";
  const codesLeft = left.ok ? left.value : undefined;
  return { next: leadsBack ? endWith("logged-in", { codesLeft }) : await goOn(step, codesLeft) };
}

/** What waited for the second factor. */
export async function goOn({ leadsTo, password }: SecondFactorStep, codesLeft?: number): Promise<Next> {
  if (leadsTo === "back") return endLogin("any tab");
  if (leadsTo === "logged-in") return endLogin("this tab");
  if (leadsTo !== "new-password") return endWith(leadsTo, { codesLeft });
  if (password === undefined) return { at: "password", error: "", codesLeft };
  return endWithPassword(password, "new-password", { codesLeft });
}

/** Saves a password that was typed before, and ends. If it is refused, another one is asked for. */
export async function endWithPassword(
  password: string,
  outcome: Outcome,
  ending: Parameters<typeof endWith>[1] = {},
): Promise<Next> {
  const result = await savePassword(password);
  // A hosted project keeps the password of the sign-up. A person who types that same password knows it.
  if (result.ok || result.code === "same_password") return endWith(outcome, ending);
  return { at: "password", error: messageFor(result, passwordWords.failed), codesLeft: ending.codesLeft };
}

export function sessionEnded(): Next {
  return { at: "form", mode: "login", email: "", error: text.ended };
}

/**
 * A refusal without a code or of the token may mean that the session has ended, and a missing app that it was removed
 * meanwhile.
 */
async function explain(step: SecondFactorStep, failure: Failure): Promise<StepResult> {
  if (failure.code === "mfa_verification_failed")
    return { error: step.by === "app" ? text.wrong : text.recovery.wrong };
  const isMissing = failure.code === "mfa_factor_not_found";
  const isAboutSession = failure.code === "bad_jwt" || (!failure.code && !failure.unanswered);
  const next = isMissing || isAboutSession ? await refreshStep(step) : undefined;
  return next && (isMissing || next.at !== step.at) ? { next } : { error: messageFor(failure) };
}
