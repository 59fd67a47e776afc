import { linkWords } from "#content/auth";
import type { MailedLink } from "../../supabase/mailed-link";

export type Mode = "login" | "signup";

/** A link that says what it is for. */
export interface UsableLink {
  about: "signup" | "recovery" | "invite";
  tokenHash: string;
  type: "signup" | "email" | "recovery" | "invite";
  redirectTo: string | null;
}

/** What the screen shows; every place a person can be at is one of these. `email` is what was typed last. */
export type Step =
  | { at: "form"; mode: Mode; email: string; error: string; unconfirmed?: boolean }
  /** Asks where to send a mail; `error` says why one is needed. */
  | { at: "mail"; about: "signup" | "recovery"; email: string; error: string }
  /** A mail went to `email`; "any" is for who comes with a code, and nothing is known of them yet. */
  | { at: "code"; about: "signup" | "recovery" | "any"; email: string; notice: string }
  | { at: "link"; link: UsableLink }
  /** A mail has signed somebody in who is to choose a password. */
  | { at: "password" };

/** What comes of something a person did: another step, or the end of this screen. */
export type Next = Step | { at: "end"; address: string };

export const start: Step = { at: "form", mode: "login", email: "", error: "" };

/** The step that this history entry was at before it was loaded once more, or that a mailed link leads to. */
export function findKeptStep(): Step | undefined {
  const kept: { link?: MailedLink; choosesPassword?: true; step?: Step } = window.history.state ?? {};
  if (kept.link) return stepOfLink(kept.link);
  return kept.choosesPassword ? { at: "password" } : kept.step;
}

/** On a phone, the way to the mail program and back may load the page anew. What is over is not kept. */
export function keepStep(step: Next) {
  const lasts = step.at === "code" || step.at === "password";
  window.history.replaceState(lasts ? { step } : null, "");
}

/** Where a confirmed person ends. Anyone can write a link, so it leads to no other site than this one. */
export function addressAfter(redirectTo: string | null): string {
  const home = new URL("/", window.location.origin);
  const target = redirectTo !== null && URL.canParse(redirectTo) ? new URL(redirectTo) : home;
  // With its origin: a path that begins with two slashes would name another site.
  return target.origin === home.origin ? target.origin + target.pathname + target.search : home.pathname;
}

function stepOfLink({ tokenHash, type, redirectTo }: MailedLink): Step {
  const known = kinds.find((kind) => kind.type === type);
  if (known && tokenHash) return { at: "link", link: { ...known, tokenHash, redirectTo } };
  return { at: "mail", about: "recovery", email: "", error: linkWords.expired.recovery };
}

const kinds = [
  { type: "signup", about: "signup" },
  { type: "email", about: "signup" },
  { type: "recovery", about: "recovery" },
  { type: "invite", about: "invite" },
] as const;
