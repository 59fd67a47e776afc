import { findInterestLabel } from "#content/contact";
import { contactMessages } from "#content/messages";
import { preparedMail } from "#content/prepared-mail";
import { type Contact, type Problem, readContact, tooSoon, waitSeconds } from "#validation/contact";
import { prepareMail } from "#validation/prepared-mail";
import type { FormOutcome } from "../../hooks/use-form";
import { withStorage } from "../../supabase/browser-storage";
import { sendContact } from "../../supabase/send-contact";

export interface ContactOutcome extends FormOutcome {
  /** The name of the field at fault. */
  field?: string;
  /** The contact was not stored, and a correction would not help. */
  offersMail?: boolean;
  /** When the next try can succeed; only after a contact that came too soon. */
  nextSend?: number;
}

const fieldOf: Record<Problem, keyof Contact> = {
  noName: "name",
  noCompany: "company",
  noEmail: "email",
  noInterest: "interest",
};

/**
 * What a visitor has tried to send, until it is sent or the tab is closed (docs/specification.md#prepared-mail). It is in
 * session storage, which no other tab and no later visit can read, because the computer may not be the visitor's own.
 * The privacy policy tells of it.
 */
export const draftKey = "contact-draft";
type Draft = Record<keyof Contact, string>;

const sentAtKey = "contact-last-sent-at";

/** Cleans, validates and sends the form. docs/specification.md#contact-errors lists the messages. */
export async function send(form: FormData): Promise<ContactOutcome> {
  const fields = fieldsIn(form);
  const { contact, problem } = readContact(fields);
  if (problem) return { tone: "error", message: contactMessages[problem], field: fieldOf[problem] };
  const nextSend = findNextSend(Date.now());
  if (nextSend) return { tone: "error", message: contactMessages.tooFast, nextSend };

  keepDraft(fields);
  const result = await sendContact(contact);
  if (result.ok) {
    withStorage("sessionStorage", (storage) => storage.removeItem(draftKey));
    withStorage("localStorage", (storage) => storage.setItem(sentAtKey, String(Date.now())));
    return { tone: "success", message: contactMessages.sent };
  }
  const message = result.unanswered ? contactMessages.notSent : (result.message ?? contactMessages.notSaved);
  const outcome = { tone: "error", message, offersMail: !result.message || !result.refusedByRule } as const;
  // The database does not say how long it will refuse, but it is never longer than this.
  return result.details === tooSoon ? { ...outcome, nextSend: Date.now() + waitSeconds * 1000 } : outcome;
}

export function fieldsIn(form: FormData): Draft {
  const text = (name: keyof Contact) => String(form.get(name) ?? "");
  return { name: text("name"), company: text("company"), email: text("email"), interest: text("interest") };
}

/** The contact as a mail, as the form is filled in now. */
export function mailOf(form: HTMLFormElement) {
  const fields = fieldsIn(new FormData(form));
  return prepareMail({ ...fields, interest: findInterestLabel(fields.interest) ?? "" }, preparedMail);
}

export function keepDraft(draft: Draft) {
  withStorage("sessionStorage", (storage) => storage.setItem(draftKey, JSON.stringify(draft)));
}

export function readDraft(): Partial<Draft> | undefined {
  return withStorage("sessionStorage", (storage) => JSON.parse(storage.getItem(draftKey) ?? "null") ?? undefined);
}

/**
 * When this browser may send the next contact; undefined if it may at once. The database has the same rule
 * (docs/specification.md#waiting-between-contacts).
 */
function findNextSend(now: number): number | undefined {
  const sentAt = Number(withStorage("localStorage", (storage) => storage.getItem(sentAtKey)) ?? Number.NaN);
  const next = sentAt + waitSeconds * 1000;
  // If the stored time is in the future, the clock was set back since then. That must not lock the form.
  return sentAt <= now && now < next ? next : undefined;
}
