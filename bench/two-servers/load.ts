import { setTimeout as pause } from "node:timers/promises";
import { emails, password } from "../attack/target.ts";
import { jsonRequest, publicAddress } from "../load/requests.ts";

/** How often each request is sent in a second. The first two are the ways to send a contact. */
const perSecond = { contact: 45, form: 5, "log-in": 1, inbox: 2, change: 5, page: 10 } as const;
export type Kind = keyof typeof perSecond;
const kinds = Object.keys(perSecond) as Kind[];
export const contactKinds: readonly Kind[] = ["contact", "form"];

/** One request. Without an answer its status is 0. */
export interface Sent {
  kind: Kind;
  /** The email address of a contact; of a change, the one of the contact that is changed. */
  email: string;
  /** When it was due, from which its wait counts. */
  plannedAt: number;
  sentAt: number;
  answeredAt: number;
  status: number;
  /** Whether it was answered as it is where no server ends. */
  isRight: boolean;
}

interface Draft {
  path: string;
  init: RequestInit;
  /** The address of the visitor. */
  from: string;
  /** The sender of a contact, or of the contact that is changed. */
  email?: string;
  /** The rows of which the answer must tell. */
  range?: string;
}

interface Answer {
  status: number;
  headers: Headers;
  body: ArrayBuffer;
}

/** Longer than every time limit of nginx and the servers. */
const answerSecondsMax = 60;

export const changedEmail = (number: number) => `changed-${number}@two-servers.example`;
/** How many contacts there are to change. A pass on a busy machine may take longer than planned. */
export const changesIn = (seconds: number) => 3 * seconds * perSecond.change;

interface Options {
  seconds: number;
  /** The load goes on until this resolves, also beyond the planned time. */
  events: Promise<unknown>;
  /** The access token of an admin. */
  token: string;
  signal: AbortSignal;
}

/** An open loop of each kind: each request is sent at its planned time, whether or not the earlier ones are answered. */
export async function sendLoad(url: string, { seconds, events, token, signal }: Options): Promise<Sent[]> {
  const authorization = `Bearer ${token}`;

  const requests: Record<Kind, (number: number) => Draft> = {
    contact(number) {
      const contact = newContact(`rest-${number}`);
      return {
        email: contact.email,
        path: "/rest/v1/contacts",
        init: jsonRequest(contact),
        from: publicAddress(number),
      };
    },
    form(number) {
      const contact = newContact(`form-${number}`);
      const init: RequestInit = { method: "POST", body: new URLSearchParams(contact), redirect: "manual" };
      return { email: contact.email, path: "/contact", init, from: publicAddress(30_000 + number) };
    },
    "log-in"(number) {
      const init = jsonRequest({ email: emails.admin, password });
      return { path: "/auth/v1/token?grant_type=password", init, from: publicAddress(50_000 + (number % 16)) };
    },
    inbox() {
      const init = { headers: { ...jsonRequest({}, { authorization }).headers } };
      return { path: "/rest/v1/contacts?select=*&order=submitted_at.desc&limit=50", init, from: publicAddress(55_000) };
    },
    change(number) {
      const email = changedEmail(number);
      const isNote = number % 2 === 0;
      const init = jsonRequest({ note: "Called back" }, { authorization });
      const path = `/rest/v1/contacts?email=eq.${email}${isNote ? "&note_version=eq.0" : ""}`;
      const method = isNote ? "PATCH" : "DELETE";
      // Sent twice, a note is written once, but the second answer tells of a conflict.
      const range = isNote ? "0-0/*" : "*/*";
      return { email, path, init: { ...init, method }, from: publicAddress(55_000), range };
    },
    page(number) {
      return { path: ["/", "/auth", "/privacy-policy"][number % 3] ?? "/", init: {}, from: publicAddress(56_000) };
    },
  };

  const began = performance.now();
  let eventsEnded = false;
  void events.finally(() => (eventsEnded = true)).catch(() => {});
  const sent = await Promise.all(kinds.map(sendAll));
  return sent.flat().sort((a, b) => a.sentAt - b.sentAt);

  async function sendAll(kind: Kind): Promise<Sent[]> {
    const sending: Promise<Sent>[] = [];
    for (let number = 0; number < seconds * perSecond[kind] || !eventsEnded; number++) {
      const plannedAt = began + (number * 1000) / perSecond[kind];
      await pauseUntil(plannedAt, signal);
      sending.push(send(kind, number, plannedAt));
    }
    return Promise.all(sending);
  }

  async function send(kind: Kind, number: number, plannedAt: number): Promise<Sent> {
    const { email = "", path, init, from, range } = requests[kind](number);
    const sentAt = performance.now();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerSecondsMax * 1000)]);
    const headers = { ...init.headers, "x-forwarded-for": from };
    const answer = await fetch(url + path, { ...init, headers, signal: limit }).then(
      async (answer) => ({ status: answer.status, headers: answer.headers, body: await answer.arrayBuffer() }),
      () => undefined,
    );
    const isRight = answer !== undefined && isExpected[kind](answer) && (!range || range === rangeOf(answer));
    return { kind, email, plannedAt, sentAt, answeredAt: performance.now(), status: answer?.status ?? 0, isRight };
  }
}

const rangeOf = ({ headers }: Answer) => headers.get("content-range");

const isExpected: Record<Kind, (answer: Answer) => boolean> = {
  contact: ({ status }) => status === 201,
  form: ({ status, headers }) => status === 303 && headers.get("location") === "/thanks",
  "log-in": ({ status }) => status === 200,
  inbox: ({ status, body }) => status === 200 && body.byteLength > 2,
  change: ({ status }) => status === 204,
  page: ({ status }) => status === 200,
};

function newContact(name: string) {
  return { name: `Visitor ${name}`, company: "Two", email: `${name}@two-servers.example`, interest: "consulting" };
}

export async function pauseUntil(moment: number, signal: AbortSignal) {
  await pause(Math.max(0, moment - performance.now()), undefined, { signal });
}
