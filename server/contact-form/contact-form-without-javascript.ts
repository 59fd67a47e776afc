import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { classifyDatabaseError, explain, visitorRefusal } from "#backend/database/errors";
import { floodCode, Refusal } from "#backend/http/refusal";
import { contactWords, findInterestLabel } from "#content/contact";
import { contactMessages } from "#content/messages";
import { hostedMessages, preparedMail } from "#content/prepared-mail";
import type { Asset } from "#server/static-site/assets";
import { changeTag, fillText, withAttribute } from "#server/static-site/fill-html";
import { sendFilledPage } from "#server/static-site/send-asset";
import { type Contact, readContact, tooSoon, waitSeconds } from "#validation/contact";
import { prepareMail } from "#validation/prepared-mail";

/**
 * Stores a contact and its source with the rights of an anonymous visitor. Otherwise it rejects with PostgreSQL's error, or
 * with a `Refusal` whose message is for the visitor.
 */
export type SaveContact = (contact: Contact, request: FastifyRequest) => Promise<void>;

export interface ContactFormOptions {
  assets: ReadonlyMap<string, Asset>;
  /** The site's public address. */
  siteUrl: string;
  saveContact: SaveContact;
}

type Fields = Record<keyof Contact, string>;

/** Far more than any contact has. A larger body is refused before it is read. */
const formBytesMax = 32 * 1024;

const formType = "application/x-www-form-urlencoded";

/** Answers the form without JavaScript (docs/specification.md#form-without-javascript). */
export async function contactFormRoutes(app: FastifyInstance, options: ContactFormOptions) {
  app.addContentTypeParser(formType, { parseAs: "string", bodyLimit: formBytesMax }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );

  app.get("/contact", (_request, reply) => reply.redirect("/#contact", 303));
  app.post("/contact", (request, reply) => answerContactForm(options, request, reply));
}

/**
 * Answers a post of the form without JavaScript: 303 to the page of thanks, or the landing page again with the message
 * and the typed values (docs/specification.md#form-without-javascript).
 */
async function answerContactForm(
  { assets, siteUrl, saveContact }: ContactFormOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const fields = fieldsIn(request.body);
  const refuse = (status: number, message: string, isTooSoon = false) =>
    sendFilledForm(assets, reply, status, message, fields, isTooSoon);

  if (!isSameOrigin(request, siteUrl)) return refuse(403, contactMessages.foreign);

  const { contact, problem } = readContact(fields);
  if (problem) return refuse(422, contactMessages[problem]);

  try {
    await saveContact(contact, request);
  } catch (error) {
    // A limit against floods refuses before the database is asked. It has other words at the data API.
    if (error instanceof Refusal && error.code === floodCode) {
      reply.headers(error.headers);
      return refuse(error.status, contactMessages.tooFast, true);
    }
    const refusal = error instanceof Refusal ? error : visitorRefusal(error);
    if (refusal) return refuse(refusal.status, refusal.message, refusal.details === tooSoon);

    request.log.error({ err: error }, explain(error) ?? "A request failed.");
    const isBug = ["bug", "refused"].includes(classifyDatabaseError(error));
    return refuse(isBug ? 500 : 503, contactMessages.notSaved);
  }
  return reply.redirect("/thanks", 303);
}

/**
 * Protects against cross-site posts (CSRF). Browsers send `Sec-Fetch-Site`; older browsers send `Origin` instead. Other
 * programs send neither header. Their posts are accepted, because no attacker's page can control them.
 *
 * The site's own address counts as well as `Host`, because a proxy may send a `Host` of its own.
 */
function isSameOrigin(request: FastifyRequest, siteUrl: string): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";

  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && (from.host === host || from.origin === new URL(siteUrl).origin);
}

function fieldsIn(body: unknown): Fields {
  const form = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof form[name] === "string" ? form[name] : "");
  // NUL is removed, because PostgreSQL cannot store it. An email address that contains it is refused.
  const storable = (name: string) => text(name).replaceAll("\0", "");
  return { name: storable("name"), company: storable("company"), email: text("email"), interest: text("interest") };
}

function sendFilledForm(
  assets: ReadonlyMap<string, Asset>,
  reply: FastifyReply,
  status: number,
  message: string,
  fields: Fields,
  isTooSoon: boolean,
) {
  const page = assets.get("/");
  if (!page) throw new Error("The built site has no landing page.");
  if (status === 503) reply.header("retry-after", retryAfterSeconds);
  const seconds = isTooSoon ? Number(reply.getHeader("retry-after") ?? waitSeconds) : undefined;
  return sendFilledPage(page, contactForm, (form) => fillForm(form, message, seconds, fields), reply, status);
}

/** Forms cannot be nested, so the first end tag ends the form. */
const contactForm = /<form\b[^>]*\baction="\/contact\b.*?<\/form>/s;

function fillForm(empty: string, message: string, seconds: number | undefined, { interest, ...texts }: Fields): string {
  let form = changeTag(empty, "data-notice", (tag) => withAttribute(tag, "data-tone", "error"));
  form = fillText(form, "data-notice", message);
  if (seconds !== undefined) form = fillText(form, "data-wait", contactWords.wait(seconds));
  if (mailMessages.has(message)) {
    form = changeTag(form, "data-prepared-mail", (tag) => tag.replace(/ hidden(="")?/, ""));
    const { href } = mailOf({ interest, ...texts });
    form = changeTag(form, 'href="mailto:[^"]*"', (tag) => withAttribute(tag, "href", href));
  }
  if (contactWords.interests.some(({ value }) => value === interest))
    form = changeTag(form, `value="${interest}"`, (tag) => withAttribute(tag, "checked", ""));
  // Last, because these texts may contain the name of an attribute.
  for (const [name, text] of Object.entries(texts))
    form = changeTag(form, `name="${name}"`, (tag) => withAttribute(tag, "value", text));
  return form;
}

/** A person reads the page and presses Send again. This is for programs, such as a proxy or a monitor. */
const retryAfterSeconds = 5;

/** With these messages the page offers to send the contact as a mail (docs/specification.md#prepared-mail). */
const mailMessages: ReadonlySet<string> = new Set([contactMessages.notSaved, hostedMessages.notSaved]);

function mailOf(fields: Fields) {
  return prepareMail({ ...fields, interest: findInterestLabel(fields.interest) ?? "" }, preparedMail);
}
