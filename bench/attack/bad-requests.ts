import { request } from "node:http";
import { seededRandom } from "../load/seeded-random.ts";
import { type BadRequest, badRequest, readSurface } from "./requests.ts";
import { type Name, secretOfMember, signInAs, type Target } from "./target.ts";

const atOnce = 8;
/** Some requests end sessions, so new ones are made after so many requests. */
const requestsPerSession = 500;
/** Our pages wait 15 seconds for an answer. The rest is for a busy machine. */
const hungSeconds = 15 + 5;
const contactOfOthers = /visitor-\d+@seeded\.example/;

interface Options {
  count: number;
  seed: number;
  signal: AbortSignal;
  progress: (text: string) => void;
}

/**
 * Sends bad requests. None may be answered with 500 or with a secret, none may hang, and none that is refused may store a
 * contact.
 */
export async function runBadRequests(target: Target, { count, seed, signal, progress }: Options): Promise<string[]> {
  const problems: string[] = [];
  let sent = 0;
  const accepted = new Set<string>();
  const random = seededRandom(seed);
  const surface = await readSurface(target.database);
  const secrets = await readSecrets(target);
  let tokens = await signInAll(target);

  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  const { rows } = await target.database.query<{ text: string }>(
    "select concat_ws(' ', name, company, email) as text from public.contacts where email not like 'visitor-%@seeded.example'",
  );
  // A byte that was put into the body may have cut one of the three names short.
  const unaccepted = rows.filter(({ text }) => !text.match(/attack-\d+/g)?.some((name) => accepted.has(name)));
  problems.push(...unaccepted.map(({ text }) => `A refused request stored a contact: ${text.slice(0, 100)}`));
  return problems;

  async function sendInTurn() {
    while (sent < count && problems.length < 10) {
      signal.throwIfAborted();
      sent += 1;
      if (sent % requestsPerSession === 0) tokens = await signInAll(target);
      if (sent % 2000 === 0) progress(`${sent} of ${count} bad requests`);
      const bad = badRequest(random, surface);
      const authorization = bad.as !== "visitor" && { Authorization: `Bearer ${tokens[bad.as]}` };
      const answer = await send(target.url, { ...bad, headers: { ...authorization, ...bad.headers } });
      if (answer.status > 0 && answer.status < 400) accepted.add(`attack-${bad.number}`);
      const problem = problemOf(bad, answer);
      if (problem) problems.push(`${problem}\n  ${describe(bad)}`);
    }
  }

  function problemOf({ as }: BadRequest, { status, isHung, text }: Answer): string | undefined {
    if (isHung) return "no answer";
    if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`;
    const secret = secrets.find((each) => text.includes(each));
    if (secret) return `an answer with "${secret}": ${text.slice(0, 200)}`;
    return as !== "admin" && contactOfOthers.test(text) ? "an answer with contacts" : undefined;
  }
}

function describe({ method, path, query, as, headers, body }: BadRequest): string {
  const parts = [`${method} ${path} as ${as}`, query, JSON.stringify(headers), body];
  return parts.map((part) => `${part}`.slice(0, 500)).join("\n  ");
}

/** What no answer may contain, and the words of a stack trace. */
async function readSecrets({ database }: Target): Promise<string[]> {
  const { rows } = await database.query<{ secret: string }>(
    `select private_jwk ->> 'd' as secret from auth.signing_keys
     union all
     select encrypted_password from auth.users where encrypted_password is not null`,
  );
  return [secretOfMember, ".ts:", ...rows.map(({ secret }) => secret)];
}

async function signInAll(target: Target): Promise<Record<Name, string>> {
  const [admin, member] = await Promise.all([signInAs("admin", target), signInAs("member", target)]);
  return { admin: admin.access_token, member: member.access_token };
}

interface Answer {
  /** 0 if the server closed the connection without an answer. */
  status: number;
  isHung: boolean;
  text: string;
}

/** Sends a request on a connection of its own. Rejects if no server listens, or if its answer is not HTTP. */
function send(url: string, { method, path, query, headers, body }: BadRequest): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const limit = AbortSignal.timeout(hungSeconds * 1000);
  let [status, text] = [0, ""];
  const settle = () => resolve({ status, isHung: limit.aborted, text });
  const sent = request({
    ...{ hostname, port, method, agent: false, signal: limit },
    // The client of Node refuses these characters in an address.
    path: (query ? `${path}?${query}` : path).toWellFormed().replace(/[^\x21-\xff]/gu, encodeURIComponent),
    headers: { ...headers, ...(body.length > 0 && { "Content-Length": body.length }) },
  });
  sent.once("response", (response) => {
    status = response.statusCode ?? 0;
    response.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    response.on("error", settle).once("close", settle);
  });
  sent.on("error", (error: NodeJS.ErrnoException) => {
    // A server that refuses a large body closes the connection while it is still being sent. One that refuses a head does
    // not know that the method is HEAD, so its answer has a body.
    if (status > 0 || limit.aborted || error.code === "ECONNRESET" || error.code === "EPIPE") settle();
    else reject(error);
  });
  sent.end(body);
  return promise;
}
