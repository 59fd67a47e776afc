import type { FastifyReply, FastifyRequest } from "fastify";
import { contactMessages } from "#content/messages";
import { classifyDatabaseError, visitorRefusal } from "#server/database/errors";
import { type Contact, readContact } from "#validation/contact";
import type { Asset } from "./assets.ts";
import { parsePage, sendFilledPage } from "./filled-page.ts";
import { isFromOurPage } from "./origin.ts";

/** Saves as an anonymous visitor would; rejects with PostgreSQL's error when the database refuses. */
export type SaveContact = (contact: Contact, request: FastifyRequest) => Promise<void>;

type Fields = Record<keyof Contact, string>;

/** The form without JavaScript: 303 to the thanks, or the page again with the message and what was typed. */
export async function answerContactForm(
  assets: ReadonlyMap<string, Asset>,
  saveContact: SaveContact,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const fields = fieldsIn(request.body);
  const refuse = (status: number, message: string) => sendFilledForm(assets, reply, status, message, fields);

  if (!isFromOurPage(request)) return refuse(403, contactMessages.foreign);

  const { contact, problem } = readContact(fields);
  if (problem) return refuse(422, contactMessages[problem]);

  try {
    await saveContact(contact, request);
  } catch (error) {
    const refusal = visitorRefusal(error);
    if (refusal) return refuse(refusal.status, refusal.message);

    request.log.error(error);
    const isOurMistake = ["bug", "refused"].includes(classifyDatabaseError(error));
    return refuse(isOurMistake ? 500 : 503, contactMessages.notSaved);
  }
  return reply.redirect("/thanks", 303);
}

function fieldsIn(body: unknown): Fields {
  const form = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  // PostgreSQL holds no NUL, and no keyboard types one.
  const text = (name: string) => (typeof form[name] === "string" ? form[name].replaceAll("\0", "") : "");
  return { name: text("name"), company: text("company"), email: text("email"), interest: text("interest") };
}

function sendFilledForm(
  assets: ReadonlyMap<string, Asset>,
  reply: FastifyReply,
  status: number,
  message: string,
  { name, company, email, interest }: Fields,
) {
  const page = assets.get("/");
  if (!page) throw new Error("The built site has no landing page.");

  const document = parsePage(page);
  const form = document("form[action^='/contact']");
  for (const [field, value] of Object.entries({ name, company, email })) {
    form.find(`input[name='${field}']`).attr("value", value);
  }
  form
    .find("input[name='interest']")
    .filter((_, input) => document(input).attr("value") === interest)
    .attr("checked", "");
  form.find("[data-notice]").attr("data-tone", "error").text(message);
  return sendFilledPage(page, document, reply, status);
}
