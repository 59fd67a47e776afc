import { visitorRefusal } from "#backend/database/errors";
import { Refusal } from "#backend/http/refusal";
import { hostedMessages } from "#content/prepared-mail";
import { describeRequestError } from "#process/network-error";
import { readAnswer } from "#process/read-answer";
import type { Contact } from "#validation/contact";
import type { SaveContact } from "./contact-form-without-javascript.ts";
import { forwardLimit } from "./forward-limit.ts";
import { headersOfSource } from "./headers-of-source.ts";

/** Two attempts take less time than the 15 s that a page waits (docs/specification.md#time-limit-of-a-call). */
const attemptMilliseconds = 6000;

export interface HostedProject {
  /** Without a slash at the end. */
  url: string;
  publicKey: string;
  /** Tests set a shorter time. */
  attemptMillisecondsMax?: number;
}

/**
 * Passes a contact on to the hosted project that the browser talks to, as an anonymous visitor
 * (docs/specification.md#form-with-a-hosted-project). Rejects with a `Refusal` whose message is for the visitor.
 */
export function createForwardContact(project: HostedProject, take = forwardLimit()): SaveContact {
  const { host } = new URL(project.url);
  return async ({ name, company, email, interest }, request) => {
    const giveBack = take(request.ip);
    if (!giveBack) throw new Refusal(429, "", hostedMessages.notSaved);

    const send = () => insertContact(project, { name, company, email, interest }, headersOfSource(request.headers));
    try {
      // After a lost answer the contact may be stored. The project's database stores a repeat only once.
      const answer = await send().catch(send);
      if (answer.status === 201) return;
      const error = readError(answer.text);
      const refusal = visitorRefusal(error);
      if (refusal) throw new Refusal(refusal.status, "", refusal.message, refusal);
      throw new Error(`answered ${answer.status} ${error.code}`.trim());
    } catch (error) {
      giveBack();
      if (error instanceof Refusal) throw error;
      // The message of the answer is not logged, because PostgreSQL may quote the visitor's data in it.
      request.log.warn(`A contact was not saved: ${host} ${describeRequestError(error)}.`);
      throw new Refusal(503, "", hostedMessages.notSaved);
    }
  };
}

/** One insert at the project's data API (docs/protocol.md#insert). */
async function insertContact(
  { url, publicKey, attemptMillisecondsMax = attemptMilliseconds }: HostedProject,
  contact: Contact,
  source: Readonly<Record<string, string>>,
) {
  const answer = await fetch(`${url}/rest/v1/contacts`, {
    method: "POST",
    headers: {
      apikey: publicKey,
      // A legacy key is a JWT and also the token of `anon`. A publishable key is no token.
      ...(isJwt(publicKey) && { authorization: `Bearer ${publicKey}` }),
      "content-type": "application/json",
      prefer: "return=minimal",
      ...source,
    },
    body: JSON.stringify(contact),
    // A redirect could lead the visitor's data elsewhere.
    redirect: "manual",
    signal: AbortSignal.timeout(attemptMillisecondsMax),
  });
  return { status: answer.status, text: await readAnswer(answer.body) };
}

function isJwt(key: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(key);
}

/** Reads an error of the data API (docs/protocol.md#data-error-shape). A gateway may answer with a page instead. */
function readError(text: string) {
  let answer: { code?: unknown; message?: unknown; details?: unknown } | null = null;
  try {
    answer = JSON.parse(text);
  } catch {}
  const message = String(answer?.message ?? "");
  // The data API names a constraint only in PostgreSQL's message.
  const [, constraint] = / violates check constraint "(.+)"/.exec(message) ?? [];
  return { code: String(answer?.code ?? ""), message, constraint, detail: String(answer?.details ?? "") };
}
