import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { preparedMail } from "#content/prepared-mail";
import { type Contact, type Problem, readContact, waitSeconds } from "#validation/contact";
import { prepareMail } from "#validation/prepared-mail";
import type { FormOutcome } from "../../components/notice";
import { sendContact } from "../../supabase/send-contact";
import { findNextSend, rememberSent } from "./cooldown";
import { type Draft, dropDraft, keepDraft } from "./draft";

export interface ContactOutcome extends FormOutcome {
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

/** Cleans, validates and sends the form. docs/specification.md#contact-errors lists the messages. */
export async function send(form: FormData): Promise<ContactOutcome> {
  const fields = fieldsIn(form);
  const { contact, problem } = readContact(fields);
  if (problem) return { tone: "error", message: contactMessages[problem], field: fieldOf[problem] };
  const nextSend = findNextSend();
  if (nextSend) return { tone: "error", message: contactMessages.tooFast, nextSend };

  keepDraft(fields);
  const result = await sendContact(contact);
  if (result.ok) {
    dropDraft();
    rememberSent();
    return { tone: "success", message: contactMessages.sent };
  }
  const message = result.unanswered ? contactMessages.notSent : (result.message ?? contactMessages.notSaved);
  const outcome = { tone: "error", message, offersMail: !result.message || !result.refusedByRule } as const;
  // The database does not say how long it will refuse, but it is never longer than this.
  return message === contactMessages.tooFast ? { ...outcome, nextSend: Date.now() + waitSeconds * 1000 } : outcome;
}

export function fieldsIn(form: FormData): Draft {
  return {
    name: text(form, "name"),
    company: text(form, "company"),
    email: text(form, "email"),
    interest: text(form, "interest"),
  };
}

/** The contact as a mail, as the form is filled in now. */
export function mailOf(form: HTMLFormElement) {
  const fields = fieldsIn(new FormData(form));
  const { label = "" } = contactWords.interests.find(({ value }) => value === fields.interest) ?? {};
  return prepareMail({ ...fields, interest: label }, preparedMail);
}

function text(form: FormData, name: keyof Contact): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
