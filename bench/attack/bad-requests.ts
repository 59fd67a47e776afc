import { fc } from "#tests/support/seeded-fast-check";
import { type BadRequest, badRequests, sendRaw } from "./requests.ts";
import type { Surface } from "./surface.ts";
import { type Name, secretOfMember, signInAs, type Tally, type Target } from "./target.ts";

interface Options {
  count: number;
  seed: number;
  /** The path that fast-check printed beside the seed, to repeat one request. */
  path?: string;
  signal?: AbortSignal;
  progress?: (text: string) => void;
}

const atOnce = 8;
const progressEvery = 2000;
/** Some requests end sessions, so new ones are made after so many requests. */
const requestsPerSession = 500;
/**
 * Sends bad requests. None may be answered with 500 or with a secret, none may hang, and none that is refused may store a
 * contact.
 */
export async function runBadRequests(target: Target, surface: Surface, options: Options): Promise<Tally> {
  const { count, seed, path, signal, progress = () => {} } = options;
  const tally: Tally = { requests: 0, problems: [] };
  const accepted = new Set<string>();
  const secrets = await readSecrets(target);
  let tokens = await signInAll(target);

  const property = fc.asyncProperty(badRequests(surface), async (request) => {
    signal?.throwIfAborted();
    tally.requests += 1;
    if (tally.requests % requestsPerSession === 0) tokens = await signInAll(target);
    if (tally.requests % progressEvery === 0) progress(`${tally.requests} of ${count} bad requests`);
    const authorization = request.as !== "visitor" && { Authorization: `Bearer ${tokens[request.as]}` };
    const headers = { ...authorization, ...request.headers };
    const answer = await sendRaw(target.urls[0] ?? "", { ...request, headers });
    if (answer.status > 0 && answer.status < 400) accepted.add(`attack-${request.number}`);
    if (answer.isHung) throw new Error("no answer");
    if (answer.status >= 500) throw new Error(`status ${answer.status}: ${answer.text.slice(0, 200)}`);
    const secret = secrets.find((each) => answer.text.includes(each));
    if (secret) throw new Error(`an answer with "${secret}": ${answer.text.slice(0, 200)}`);
    if (request.as !== "admin" && contactOfOthers.test(answer.text)) throw new Error("an answer with contacts");
  });
  const lanes = path ? [seed] : Array.from({ length: atOnce }, (_, lane) => seed + lane);
  await Promise.all(
    lanes.map(async (seed) => {
      const found = await fc.check(property, { seed, path, numRuns: Math.ceil(count / lanes.length) });
      if (!found.failed) return;
      const [request] = found.counterexample ?? [];
      const repeat = `--parts requests --seed ${seed} --path ${found.counterexamplePath}`;
      tally.problems.push(`${(found.errorInstance as Error).message} (${repeat})\n${request && described(request)}`);
    }),
  );
  tally.problems.push(...findUnaccepted(await readStoredContacts(target), accepted));
  return tally;
}

const contactOfOthers = /visitor-\d+@seeded\.example/;

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

function described({ description, query, headers, body }: BadRequest): string {
  return `  ${description}\n  ${[query, JSON.stringify(headers), body].map((part) => `${part}`.slice(0, 500)).join("\n  ")}`;
}

async function readStoredContacts({ database }: Target): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    "select concat_ws(' ', name, company, email) as text from public.contacts where email not like 'visitor-%@seeded.example'",
  );
  return rows.map(({ text }) => text);
}

/** A sentence for each stored contact that no accepted request brought. */
function findUnaccepted(contacts: readonly string[], accepted: ReadonlySet<string>): string[] {
  return contacts
    .filter((text) => !accepted.has(/attack-\d+/.exec(text)?.[0] ?? ""))
    .map((text) => `A refused request stored a contact: ${text.slice(0, 100)}`);
}
