import { contactMessages } from "#content/messages";
import { type Contact, type Problem, readContact } from "#validation/contact";
import { sendContact } from "../../supabase/send-contact";
import { isCoolingDown, rememberSent } from "./cooldown";

export interface Outcome {
  tone: "success" | "error";
  message: string;
  /** The field to mend, when the fault lies in one. */
  field?: keyof Contact;
}

const fieldOf: Record<Problem, keyof Contact> = {
  noName: "name",
  noCompany: "company",
  noEmail: "email",
  noInterest: "interest",
};

/** Checks, cleans and sends what the form holds. Every end a visitor can meet is an outcome with the specified words. */
export async function send(form: FormData): Promise<Outcome> {
  const { contact, problem } = readContact({
    name: text(form, "name"),
    company: text(form, "company"),
    email: text(form, "email"),
    interest: text(form, "interest"),
  });
  if (problem) return { tone: "error", message: contactMessages[problem], field: fieldOf[problem] };
  if (isCoolingDown()) return { tone: "error", message: contactMessages.tooFast };

  const outcome = await sendContact(contact);
  switch (outcome.kind) {
    case "sent":
      rememberSent();
      return { tone: "success", message: contactMessages.sent };
    case "refused":
      return { tone: "error", message: outcome.message ?? contactMessages.notSaved };
    case "unreachable":
      return { tone: "error", message: contactMessages.notSent };
  }
}

function text(form: FormData, name: keyof Contact): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
