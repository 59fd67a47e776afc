import type pg from "pg";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { issueToken, newOneTimeToken } from "#server/auth/tokens/one-time-tokens";
import { inTransaction } from "#server/database/transaction";
import { totpCode } from "#tests/support/totp";
import { jsonRequest, publicAddress } from "../load/requests.ts";
import { countAnswer, newTally, type Tally } from "./tally.ts";
import { emails, password, secretOfMember, type Target } from "./target.ts";

/** The setting of the server that the races run against. One race uses the quota up. */
export const accountMailsPerHour = 12;

interface Answer {
  status: number;
  range: string;
  location: string;
  body: Record<string, unknown>;
}

interface Sent {
  path: string;
  body?: unknown;
  from: string;
  token?: string;
  /** Without it, POST if there is a body. */
  method?: "PATCH" | "DELETE" | "PUT";
}

/** Sends `count` requests at once. Without `from`, each comes from a network of its own. */
type Burst = (
  count: number,
  request: (number: number) => Omit<Sent, "from"> & { from?: string },
) => Promise<{ answers: Answer[]; seconds: number }>;

interface Ground {
  burst: Burst;
  database: pg.Pool;
  target: Pick<Target, "signIn">;
}

type Servers = Pick<Target, "database" | "signIn"> & {
  /** Where the servers of this database listen. They get the requests in turn. */
  ports: readonly number[];
};

/** Each race returns a sentence if it was won by the attacker. */
type Race = (ground: Ground) => Promise<string | undefined>;

const oneNetwork = "198.18.7.7";

const races: Record<string, Race> = {
  // docs/protocol.md#password-attempts
  async "password attempts of one network"({ burst }) {
    const wrong = { email: emails.member, password: "not the password" };
    const path = "/auth/v1/token?grant_type=password";
    const { answers, seconds } = await burst(40, () => ({ path, body: wrong, from: oneNetwork }));
    return wantAllowed(answers, { burst: 10, secondsPerToken: 20 }, seconds);
  },

  // docs/protocol.md#request-limits
  async "links of one network"({ burst }) {
    const path = "/auth/v1/verify?type=signup&token=unknown";
    const { answers, seconds } = await burst(60, () => ({ path, from: oneNetwork }));
    return wantAllowed(answers, { burst: 30, secondsPerToken: 10 }, seconds);
  },

  async "refreshes of one network"({ burst }) {
    const path = "/auth/v1/token?grant_type=refresh_token";
    const body = { refresh_token: "unknown-unknown" };
    const { answers, seconds } = await burst(60, () => ({ path, body, from: oneNetwork }));
    return wantAllowed(answers, { burst: 30, secondsPerToken: 2 }, seconds);
  },

  // docs/protocol.md#refresh-rotation
  async "one refresh token"({ burst, target, database }) {
    const { refresh_token, access_token } = await target.signIn("member");
    const path = "/auth/v1/token?grant_type=refresh_token";
    const { answers } = await burst(20, () => ({ path, body: { refresh_token } }));
    const next = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.refresh_token] : [])));
    const active = await count(
      database,
      "select from auth.refresh_tokens where session_id = $1 and revoked_at is null",
      JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()).session_id,
    );
    return want([next.size, active], [1, 1], "successors and active tokens");
  },

  async "one link"({ burst, database }) {
    const { token } = await mailToken(database, "one-link@attack.example");
    const path = `/auth/v1/verify?type=signup&token=${token}`;
    const { answers } = await burst(20, () => ({ path }));
    return want(answers.filter(({ location }) => location.includes("access_token=")).length, 1, "sessions");
  },

  async "one code"({ burst, database }) {
    const email = "one-code@attack.example";
    const { code } = await mailToken(database, email);
    const { answers } = await burst(20, () => ({
      path: "/auth/v1/verify",
      body: { type: "signup", token: code, email },
    }));
    return want(answers.filter(({ status }) => status === 200).length, 1, "sessions");
  },

  // docs/protocol.md#attempts-of-codes
  async "wrong codes before the right one"({ burst, database }) {
    const email = "wrong-codes@attack.example";
    const { code } = await mailToken(database, email);
    const guess = (token: string) => ({
      path: "/auth/v1/verify",
      body: { type: "signup", token, email },
      from: oneNetwork,
    });
    const wrong = (number: number) => `${(Number(code) + 1 + number) % 1_000_000}`.padStart(6, "0");
    const guesses = await burst(14, (number) => guess(wrong(number)));
    const { answers } = await burst(1, () => guess(code));
    return want([...guesses.answers, ...answers].filter(({ status }) => status === 200).length, 0, "sessions");
  },

  // docs/protocol.md#attempts-of-second-factors
  async "guesses of a second factor from many networks"({ burst, target, database }) {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => target.signIn("member")));
    const all = sessions.map(({ access_token }) => guessFactor({ burst, database }, access_token, 10, () => "000000"));
    const answers = (await Promise.all(all)).flatMap((each) => each.answers);
    const checked = answers.filter(({ status }) => status === 422).length;
    return wantBetween(checked, 1, 20, "checked codes");
  },

  // docs/protocol.md#second-factor
  async "one code of a second factor"({ burst, target, database }) {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => target.signIn("member")));
    await database.query("delete from auth.rate_limits");
    const code = totpCode(secretOfMember);
    const all = sessions.map(({ access_token }) => guessFactor({ burst, database }, access_token, 4, () => code));
    const answers = (await Promise.all(all)).flatMap((each) => each.answers);
    return want(answers.filter(({ status }) => status === 200).length, 1, "sessions at aal2");
  },

  async "everything about one account at once"({ burst, target, database }) {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => target.signIn("member")));
    const { rows } = await database.query<{ id: string }>("select id from auth.mfa_factors where secret = $1", [
      secretOfMember,
    ]);
    const factor = `/auth/v1/factors/${rows[0]?.id}`;
    await burst(64, (number) => {
      const { access_token: token = "", refresh_token = "" } = sessions[number % 8] ?? {};
      const requests: Omit<Sent, "from">[] = [
        { path: "/auth/v1/logout?scope=others", token, body: {} },
        { path: "/auth/v1/factors", token, body: { factor_type: "totp", friendly_name: `${number}` } },
        { path: "/auth/v1/factors/recovery-codes/regenerate", token, body: {} },
        { path: "/auth/v1/factors/recovery-codes/verify", token, body: { code: "wrong" } },
        { path: factor, token, method: "DELETE" },
        { path: "/auth/v1/user", token, method: "PUT", body: { email: `thief-${number}@attack.example` } },
        { path: "/auth/v1/token?grant_type=refresh_token", body: { refresh_token } },
        { path: "/auth/v1/recover", body: { email: emails.member } },
      ];
      return requests[Math.floor(number / 8)] ?? { path: "/auth/v1/user", token };
    });
    const factors = await count(
      database,
      "select from auth.mfa_factors f join auth.users u on u.id = f.user_id where u.email = $1 and u.email_change is null",
      emails.member,
    );
    return want(factors, 1, "factors of an unchanged address");
  },

  // docs/protocol.md#mail-limits
  async "sign-ups of one address"({ burst, database }) {
    const email = "one-sign-up@attack.example";
    const { answers } = await burst(20, () => ({
      path: "/auth/v1/signup",
      body: { email, password },
      from: "198.18.11.1",
    }));
    const accounts = await count(database, "select from auth.users where email = $1", email);
    return want([answers.filter(({ status }) => status === 200).length, accounts], [1, 1], "successes and accounts");
  },

  async "mails of the whole site"({ burst }) {
    const email = (number: number) => `many-${number}@attack.example`;
    const { answers } = await burst(40, (number) => ({
      path: "/auth/v1/signup",
      body: { email: email(number), password },
    }));
    // Half of the mails of an hour may be sent at once. The race before this one has used one.
    const successes = answers.filter(({ status }) => status === 200).length;
    return wantBetween(successes, accountMailsPerHour / 2 - 1, accountMailsPerHour / 2, "mails");
  },

  // docs/specification.md#waiting-between-contacts
  async "one contact"({ burst, database }) {
    const body = contact("one-contact", 0);
    await burst(20, () => ({ path: "/rest/v1/contacts", body, from: "198.18.8.1" }));
    return want(await count(database, "select from contacts where email = $1", body.email), 1, "contacts");
  },

  async "different contacts of one address"({ burst, database }) {
    const { email } = contact("one-address", 0);
    const { answers } = await burst(20, (number) => ({
      path: "/rest/v1/contacts",
      body: { ...contact("one-address", 0), company: `Company ${number}` },
      from: "198.18.9.1",
    }));
    const stored = await count(database, "select from contacts where email = $1", email);
    return want([answers.filter(({ status }) => status === 201).length, stored], [1, 1], "successes and contacts");
  },

  async "inserts of the same addresses in opposite order"({ burst }) {
    const rows = Array.from({ length: 20 }, (_, number) => contact("crossed", number));
    await burst(20, (number) => ({ path: "/rest/v1/contacts", body: number % 2 ? rows : rows.toReversed() }));
    return undefined;
  },

  // docs/protocol.md#update-and-delete
  async "changes and deletes of the same contacts by two admins"({ burst, target, database }) {
    const ids = await storeContacts(database, "worked-on", 20);
    const tokens = await Promise.all([target.signIn("admin"), target.signIn("admin")]);
    const { answers } = await burst(40, (number) => ({
      // Statements that lock the same rows in different orders can end in a deadlock.
      path: `/rest/v1/contacts?id=in.(${number % 4 < 2 ? ids : ids.toReversed()})`,
      token: tokens[number % 2]?.access_token ?? "",
      ...(number % 8 === 7
        ? { method: "DELETE" }
        : { method: "PATCH", body: { state: "handled", company: `${number}` } }),
    }));
    const left = await count(database, "select from contacts where email like $1", "worked-on-%");
    return want([answers.filter(({ status }) => status !== 204).length, left], [0, 0], "refusals and contacts left");
  },

  async "notes of two admins on one contact"({ burst, target, database }) {
    const [id] = await storeContacts(database, "noted", 1);
    const tokens = await Promise.all([target.signIn("admin"), target.signIn("admin")]);
    const { answers } = await burst(20, (number) => ({
      path: `/rest/v1/contacts?id=eq.${id}&note_version=eq.0`,
      token: tokens[number % 2]?.access_token ?? "",
      method: "PATCH",
      body: { note: `Note ${number}` },
    }));
    // The header counts the changed rows, `0-0/*`, and is `*/*` for none.
    const written = answers.filter(({ range }) => range.startsWith("0-")).length;
    const versions = await count(database, "select from contacts where id = $1 and note_version = 1", id ?? "");
    return want([written, versions], [1, 1], "written notes and first versions");
  },

  async "contacts of one network"({ burst, database }) {
    await burst(60, (number) => ({ path: "/rest/v1/contacts", body: contact("network", number), from: "198.18.10.1" }));
    const announced = await count(
      database,
      "select from contacts where email like $1 and spam_reason is null",
      "network-%",
    );
    return wantBetween(announced, 1, 30, "announced contacts");
  },
};

/** Requests of many at the same moment. At each limit exactly the documented number may succeed. */
export async function runRaces(target: Servers): Promise<Tally> {
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

/** Tries codes at the member's second factor. Each has a challenge and a network of its own. */
async function guessFactor(
  { burst, database }: Pick<Ground, "burst" | "database">,
  token: string,
  guesses: number,
  code: (number: number) => string,
) {
  const { rows } = await database.query<{ id: string }>("select id from auth.mfa_factors where secret = $1", [
    secretOfMember,
  ]);
  const path = `/auth/v1/factors/${rows[0]?.id}`;
  const from = (number: number) => `198.51.${number}.${guesses}`;
  const challenges = await burst(guesses, (number) => ({
    path: `${path}/challenge`,
    token,
    body: {},
    from: from(number),
  }));
  return burst(guesses, (number) => ({
    path: `${path}/verify`,
    token,
    body: { challenge_id: challenges.answers[number]?.body.id, code: code(number) },
    from: from(number),
  }));
}

/** A link and a code as if they were mailed to a new account. */
async function mailToken(database: pg.Pool, email: string) {
  const secrets = await newOneTimeToken(passwordHasher());
  await inTransaction(database, async (db) => {
    const { rows } = await db.query<{ id: string }>("insert into auth.users (email) values ($1) returning id", [email]);
    await issueToken(db, { userId: rows[0]?.id ?? "", purpose: "confirmation" }, secrets, new Date());
  });
  return secrets;
}

function contact(name: string, number: number) {
  return { name: "Ada", company: "Engines", email: `${name}-${number}@attack.example`, interest: "consulting" };
}

async function storeContacts(database: pg.Pool, name: string, count: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `insert into public.contacts (name, company, email, interest)
     select name, company, $1 || '-' || number || '@attack.example', interest
     from jsonb_to_record($2) as contact (name text, company text, interest text), generate_series(1, $3) as number
     returning id`,
    [name, contact(name, 0), count],
  );
  return rows.map(({ id }) => id);
}

async function count(database: pg.Pool, sql: string, value: string): Promise<number> {
  return (await database.query(sql, [value])).rowCount ?? 0;
}

/** A token bucket lets `burst` requests through, and one more for each `secondsPerToken` that the race took. */
function wantAllowed(
  answers: readonly Answer[],
  { burst, secondsPerToken }: { burst: number; secondsPerToken: number },
  seconds: number,
): string | undefined {
  const allowed = answers.filter(({ status }) => status !== 429).length;
  return wantBetween(allowed, burst, burst + Math.ceil(seconds / secondsPerToken), "requests");
}

function wantBetween(found: number, least: number, most: number, what: string): string | undefined {
  return found >= least && found <= most ? undefined : `${what}: ${found} instead of ${least} to ${most}`;
}

function want(found: number | number[], expected: number | number[], what: string): string | undefined {
  return `${found}` === `${expected}` ? undefined : `${what}: ${found} instead of ${expected}`;
}
