import { emails, password } from "../attack/target.ts";
import { storePastContacts } from "../load/past-contacts.ts";
import {
  contactRequest,
  jsonRequest,
  newContact,
  publicAddress,
  type Request,
  type Sent,
  sendAtRate,
} from "../load/requests.ts";
import type { Target } from "./target.ts";

const changesPerSecond = 5;

/** A pass on a busy machine may take longer than planned. */
export function storeContactsToChange({ query }: Target, seconds: number) {
  return storePastContacts({ query }, { name: "changed", count: 3 * seconds * changesPerSecond });
}

interface Options {
  seconds: number;
  /** The load goes on until this resolves. */
  until: Promise<unknown>;
  /** The access token of an admin. */
  token: string;
  signal: AbortSignal;
}

/** Sends each kind of request at its own rate: 50 contacts a second in two ways, and what else a site has to answer. */
export async function sendLoad(url: string, { token, ...rate }: Options): Promise<Record<string, Sent[]>> {
  const authorization = `Bearer ${token}`;
  const asAdmin = jsonRequest({ note: "Called back" }, { authorization, "x-forwarded-for": publicAddress(55_000) });
  const contacts = `${url}/rest/v1/contacts`;
  const kinds: Record<string, [perSecond: number, request: (number: number) => Request]> = {
    contact: [45, (number) => contactRequest(url, number)],
    form: [5, (number) => formRequest(url, number)],
    "log-in": [1, (number) => logInRequest(url, number)],
    inbox: [
      2,
      () => ({
        url: `${contacts}?select=*&order=submitted_at.desc&limit=50`,
        init: { headers: asAdmin.headers },
        isRight: hasRange("0-49/*"),
      }),
    ],
    // Sent twice, a note is written once, but the second answer tells of a conflict.
    change: [
      changesPerSecond,
      (number) => {
        const filter = `email=eq.changed-${number}@bench.example`;
        return number % 2 === 0
          ? {
              url: `${contacts}?${filter}&note_version=eq.0`,
              init: { ...asAdmin, method: "PATCH" },
              isRight: hasRange("0-0/*"),
            }
          : { url: `${contacts}?${filter}`, init: { ...asAdmin, method: "DELETE" }, isRight: hasRange("*/*") };
      },
    ],
    page: [10, (number) => ({ url: url + (["/", "/auth"][number % 2] ?? "/") })],
  };
  const sending = Object.entries(kinds).map(async ([kind, [perSecond, request]]) => {
    return [kind, await sendAtRate({ ...rate, perSecond }, request)] as const;
  });
  return Object.fromEntries(await Promise.all(sending));
}

/** A contact as a browser without JavaScript sends it. */
function formRequest(url: string, number: number): Request {
  const contact = newContact(`form-${number}`);
  return {
    url: `${url}/contact`,
    init: {
      method: "POST",
      body: new URLSearchParams(contact),
      headers: { "x-forwarded-for": publicAddress(30_000 + number) },
    },
    email: contact.email,
    isRight: ({ status, headers }) => status === 303 && headers.get("location") === "/thanks",
  };
}

function logInRequest(url: string, number: number): Request {
  const from = { "x-forwarded-for": publicAddress(50_000 + (number % 16)) };
  return {
    url: `${url}/auth/v1/token?grant_type=password`,
    init: jsonRequest({ email: emails.admin, password }, from),
  };
}

function hasRange(range: string) {
  return ({ ok, headers }: Response) => ok && headers.get("content-range") === range;
}
