import type { Session } from "@supabase/auth-js";
import { outcomeWords } from "#content/outcomes";
import type { Failure, Result } from "../../supabase/result";
import { findUserOfLink, lacksPassword, setSession } from "../../supabase/session";
import { secondFactorStepFor } from "./second-factor-step";
import { endWith, type StepResult } from "./step-results";
import type { Next, SessionLink } from "./step-types";

/** A link whose session was not taken: without an answer, or because another account is logged in, or none. */
export interface UnusedLink {
  error?: string;
  users?: { present: string; linked: string };
}

/** Takes the session of a link at once if its user is logged in. */
export async function checkSessionLink(link: SessionLink): Promise<{ next: Next } | UnusedLink> {
  const users = await findUserOfLink(link.accessToken);
  if (!users.ok) return explain(users);
  return users.value ? { users: users.value } : takeSession(link);
}

export async function takeSession({ accessToken, refreshToken, type }: SessionLink): Promise<StepResult> {
  const session: Result<Session | null> = await setSession(accessToken, refreshToken);
  if (!session.ok) return explain(session);
  const choosesPassword = type === "recovery" || type === "invite" || lacksPassword(session.value);
  const kind = type === "signup" ? "confirmed" : type === "email_change" ? "email-changed" : "logged-in";
  const secondFactor = secondFactorStepFor(session.value, choosesPassword ? "new-password" : kind);
  if (secondFactor) return { next: secondFactor };
  return { next: choosesPassword ? { at: "password", error: "" } : endWith(kind) };
}

/** Without an answer the link can be tried again. */
function explain({ unanswered, code, message = "" }: Failure): StepResult {
  if (unanswered) return { error: outcomeWords.unanswered };
  return {
    next: { at: "outcome", tone: "error", message: code === "not_stored" ? message : outcomeWords.notTaken },
  };
}
