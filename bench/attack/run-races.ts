import { jsonRequest, publicAddress } from "../load/requests.ts";
import { type Answer, type Burst, races, type Sent } from "./races.ts";
import { countAnswer, newTally, type Tally } from "./tally.ts";
import type { Target } from "./target.ts";

type Ground = Pick<Target, "database" | "signIn"> & {
  /** Where the servers of this database listen. They get the requests in turn. */
  ports: readonly number[];
};

/** Requests of many at the same moment. At each limit exactly the documented number may succeed. */
export async function runRaces(target: Ground): Promise<Tally> {
  const tally = newTally();
  let networks = 0;
  const burst =
    (name: string): Burst =>
    async (count, request) => {
      const started = performance.now();
      const answers = await Promise.all(
        Array.from({ length: count }, async (_, number) => {
          networks += 1;
          const { from = publicAddress(networks), ...rest } = request(number);
          const answer = await send(target.ports[networks % target.ports.length] ?? 0, { ...rest, from });
          countAnswer(tally, answer, `${name}: ${rest.path}`);
          return answer;
        }),
      );
      return { answers, seconds: (performance.now() - started) / 1000 };
    };

  for (const [name, race] of Object.entries(races)) {
    const problem = await race({ burst: burst(name), database: target.database, target });
    if (!problem) continue;
    tally.letThrough += 1;
    tally.problems.push(`Race for ${name}: ${problem}.`);
  }
  return tally;
}

async function send(port: number, { path, body, from, token, method }: Sent): Promise<Answer> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const request = jsonRequest(body, { "x-forwarded-for": from, ...authorization });
  const init = body === undefined ? { headers: request.headers } : request;
  const chosen = method && { method };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, ...chosen, redirect: "manual" });
  const text = await answer.text();
  return {
    status: answer.status,
    range: answer.headers.get("content-range") ?? "",
    location: answer.headers.get("location") ?? "",
    body: text.startsWith("{") ? JSON.parse(text) : {},
  };
}
