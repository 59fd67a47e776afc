import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { emails, password } from "../attack/target.ts";
import {
  contactRequest,
  jsonRequest,
  publicAddress,
  type Request,
  type Sent,
  sendAtRate,
  signIn,
} from "../load/requests.ts";

const contactsPerSecond = 50;
const answerSecondsMax = 60;

interface Options {
  url: string;
  /** The load goes on until this resolves. */
  until: Promise<unknown>;
  signal: AbortSignal;
}

/** Visitors who each send a contact from a network of their own and open the page, and an admin in the inbox. */
export async function sendLoad({ url, ...rate }: Options) {
  const forever = { seconds: 0, ...rate };
  let token = "";
  const refresh = async () => {
    token = (await signIn(url, { email: emails.admin, password }).catch(() => ({ access_token: token }))).access_token;
  };
  await refresh();
  const timer = setInterval(refresh, 20 * 60 * 1000);
  const [contacts, pages, inbox] = await Promise.all([
    sendAtRate({ ...forever, perSecond: contactsPerSecond }, (number) => contactRequest(url, number), sendAsVisitor),
    sendAtRate({ ...forever, perSecond: 5 }, () => ({ url: `${url}/` }), sendAsVisitor),
    sendAtRate({ ...forever, perSecond: 3 }, () => {
      const init = jsonRequest(undefined, { authorization: `Bearer ${token}` });
      return {
        url: `${url}/rest/v1/contacts?select=*&order=submitted_at.desc&limit=50`,
        init: { headers: init.headers },
      };
    }),
  ]);
  clearInterval(timer);
  return { contacts, pages, inbox };
}

let visitors = 0;

/** Sends from an address of its own, as the visitor behind `X-Forwarded-For` would, on a connection of its own. */
async function sendAsVisitor(
  { url, init, email = "" }: Request,
  { plannedAt = performance.now() }: { plannedAt?: number } = {},
): Promise<Sent> {
  const sentAt = performance.now();
  const { "x-forwarded-for": localAddress = publicAddress(visitors++ % 60_000), ...headers } = (init?.headers ??
    {}) as Record<string, string>;
  const { promise, resolve } = Promise.withResolvers<number>();
  const sending = httpRequest(
    url,
    {
      method: init?.method ?? "GET",
      headers,
      localAddress,
      agent: false,
      signal: AbortSignal.timeout(answerSecondsMax * 1000),
    },
    (answer) =>
      text(answer).then(
        () => resolve(answer.statusCode ?? 0),
        () => resolve(0),
      ),
  );
  sending.on("error", () => resolve(0)).end(init?.body);
  const status = await promise;
  return { email, plannedAt, sentAt, answeredAt: performance.now(), status, isRight: status >= 200 && status < 300 };
}
