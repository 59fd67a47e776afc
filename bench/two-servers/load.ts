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
  const asAdmin = jsonRequest(
    { note: "Called back" },
    {
      authorization: `Bearer ${token}`,
      "x-forwarded-for": publicAddress(55_000),
    },
  );
  const kinds: Record<string, { perSecond: number; request: (number: number) => Request }> = {
    contact: { perSecond: 45, request: (number) => contactRequest(url, number) },
    form: {
      perSecond: 5,
      request(number) {
        const contact = newContact(`form-${number}`);
        const headers = { "x-forwarded-for": publicAddress(30_000 + number) };
        return {
          url: `${url}/contact`,
          init: { method: "POST", body: new URLSearchParams(contact), headers },
          email: contact.email,
          isRight: ({ status, headers }) => status === 303 && headers.get("location") === "/thanks",
        };
      },
    },
    "log-in": {
      perSecond: 1,
      request(number) {
        const from = { "x-forwarded-for": publicAddress(50_000 + (number % 16)) };
        const init = jsonRequest({ email: emails.admin, password }, from);
        return { url: `${url}/auth/v1/token?grant_type=password`, init };
      },
    },
    inbox: {
      perSecond: 2,
      request: () => ({
        url: `${url}/rest/v1/contacts?select=*&order=submitted_at.desc&limit=50`,
        init: { headers: asAdmin.headers },
        isRight: hasRange("0-49/*"),
      }),
    },
    change: {
      perSecond: changesPerSecond,
      request(number) {
        const filter = `email=eq.changed-${number}@bench.example`;
        // Sent twice, a note is written once, but the second answer tells of a conflict.
        return number % 2 === 0
          ? {
              url: `${url}/rest/v1/contacts?${filter}&note_version=eq.0`,
              init: { ...asAdmin, method: "PATCH" },
              isRight: hasRange("0-0/*"),
            }
          : {
              url: `${url}/rest/v1/contacts?${filter}`,
              init: { ...asAdmin, method: "DELETE" },
              isRight: hasRange("*/*"),
            };
      },
    },
    page: { perSecond: 10, request: (number) => ({ url: url + (["/", "/auth"][number % 2] ?? "/") }) },
  };
  const sending = Object.entries(kinds).map(async ([kind, { perSecond, request }]) => {
    return [kind, await sendAtRate({ ...rate, perSecond }, request)] as const;
  });
  return Object.fromEntries(await Promise.all(sending));
}

function hasRange(range: string) {
  return ({ ok, headers }: Response) => ok && headers.get("content-range") === range;
}
