import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";

/** Returns a JSON request for one of the APIs. `body` is a contact or any other value. */
function jsonRequest(body: unknown, headers: Record<string, string> = {}) {
  return {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * The address of visitor `number`, for `X-Forwarded-For`: a public unicast address from 11.0.0.0 on. Each is in a
 * network (/24) of its own, so that the limits per network do not see many visitors as one sender.
 */
export function publicAddress(number: number): string {
  return `${11 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}.${1 + (number % 254)}`;
}

export function newContact(name: string) {
  return {
    name: `Visitor ${name}`,
    company: `Works of ${name}`,
    email: `${name}@bench.example`,
    interest: "consulting",
  };
}

/** Signs in from a network of its own, and resolves with the session. */
export async function signIn(url: string, account: { email: string; password: string }, from = publicAddress(60_000)) {
  const init = jsonRequest(account, { "x-forwarded-for": from });
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, init);
  if (!answer.ok) throw new Error(`${account.email} cannot sign in: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { access_token: string; refresh_token: string; user: { id: string } };
}

export interface Request {
  url: string;
  init?: RequestInit;
  /** The address of a contact. */
  email?: string;
}

/** A request with its answer. Without an answer its status is 0. */
export interface Sent {
  email: string;
  /** When it was due, from which its wait counts. */
  plannedAt: number;
  sentAt: number;
  answeredAt: number;
  status: number;
  /** Whether it succeeded. */
  isRight: boolean;
}

/** The contact of visitor `number`, from a network of its own. */
export function contactRequest(url: string, number: number): Request & { email: string } {
  const contact = newContact(`visitor-${number}`);
  const init = jsonRequest(contact, { "x-forwarded-for": publicAddress(number) });
  return { url: `${url}/rest/v1/contacts`, init, email: contact.email };
}

/** Longer than every time limit of a server or a proxy. */
const answerSecondsMax = 60;

export async function send(
  { url, init, email = "" }: Request,
  { plannedAt = performance.now(), signal = AbortSignal.timeout(answerSecondsMax * 1000) } = {},
): Promise<Sent> {
  const sentAt = performance.now();
  let answer: Response | undefined;
  try {
    answer = await fetch(url, { redirect: "manual", ...init, signal });
    await answer.arrayBuffer();
  } catch {
    answer = undefined;
  }
  const answeredAt = performance.now();
  return { email, plannedAt, sentAt, answeredAt, status: answer?.status ?? 0, isRight: answer?.ok ?? false };
}

interface Rate {
  perSecond: number;
  seconds: number;
  /** The load goes on until this resolves, also beyond the planned time. */
  until?: Promise<unknown>;
  signal: AbortSignal;
}

/** An open loop: each request is sent at its planned time, whether or not the earlier ones are answered. */
export async function sendAtRate(
  { perSecond, seconds, until = Promise.resolve(), signal }: Rate,
  request: (number: number) => Request,
  sendOne: typeof send = send,
): Promise<Sent[]> {
  const began = performance.now();
  const sending: Promise<Sent>[] = [];
  let isOver = false;
  until.finally(() => (isOver = true)).catch(() => {});
  for (let number = 0; number < seconds * perSecond || !isOver; number++) {
    const plannedAt = began + (number * 1000) / perSecond;
    await pause(Math.max(0, plannedAt - performance.now()), undefined, { signal });
    sending.push(sendOne(request(number), { plannedAt }));
  }
  await until;
  return Promise.all(sending);
}
