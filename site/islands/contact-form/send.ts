import { contactMessages } from "#content/messages";
import { type Contact, type Problem, readContact } from "#validation/contact";
import type { FormOutcome } from "../../components/notice";
import { sendContact } from "../../supabase/send-contact";
import { isCoolingDown, rememberSent } from "./cooldown";

const fieldOf: Record<Problem, keyof Contact> = {
  noName: "name",
  noCompany: "company",
  noEmail: "email",
  noInterest: "interest",
};

/** Cleans, validates and sends the form. docs/specification.md#contact-errors lists the messages. */
export async function send(form: FormData): Promise<FormOutcome> {
  const { contact, problem } = readContact({
    name: text(form, "name"),
    company: text(form, "company"),
    email: text(form, "email"),
    interest: text(form, "interest"),
  });
  if (problem) return { tone: "error", message: contactMessages[problem], field: fieldOf[problem] };
  if (isCoolingDown()) return { tone: "error", message: contactMessages.tooFast };

  const result = await sendContact(contact);
  if (result.ok) {
    rememberSent();
    return { tone: "success", message: contactMessages.sent };
  }
  const message = result.unanswered ? contactMessages.notSent : (result.message ?? contactMessages.notSaved);
  return { tone: "error", message };
}

function text(form: FormData, name: keyof Contact): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
