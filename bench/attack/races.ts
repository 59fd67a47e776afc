import type pg from "pg";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { issueToken, newOneTimeToken } from "#server/auth/tokens/one-time-tokens";
import { inTransaction } from "#server/database/transaction";
import { totpCode } from "#tests/support/totp";
import { jsonRequest, newContact, publicAddress } from "../load/requests.ts";
import { emails, password, secretOfMember, signInAs, storeContacts, type Tally, type Target } from "./target.ts";

/** The setting of the servers that the races run against. One race uses the quota up. */
export const accountMailsPerHour = 12;

interface Answer {
  status: number;
  range: string;
  body: Record<string, unknown>;
}

interface Sent {
  path: string;
  body?: unknown;
  /** Without it, each request comes from a network of its own. */
  from?: string;
  token?: string;
  /** Without it, POST if there is a body. */
  method?: "PATCH" | "DELETE" | "PUT";
}

interface Ground {
  /** Sends `count` requests at once, to all servers in turn. */
  burst(count: number, request: (number: number) => Sent): Promise<Answer[]>;
  database: pg.Pool;
  target: Target;
}

/** Each race returns a sentence if it was won by the attacker. */
type Race = (ground: Ground) => Promise<string | undefined>;

const contacts = "/rest/v1/contacts";

const races: Record<string, Race> = {
  async "one code"({ burst, database }) {
    const email = "one-code@attack.example";
    const token = await mailCode(database, email);
    const answers = await burst(20, () => ({ path: "/auth/v1/verify", body: { type: "signup", token, email } }));
    return wantBetween(successesIn(answers), 1, 1, "sessions");
  },

  // docs/protocol.md#attempts-of-second-factors
  async "guesses of a second factor from many networks"(ground) {
    const answers = await guessFactor(ground, { sessions: 4, guesses: 10, code: "000000" });
    return wantBetween(answers.filter(({ status }) => status === 422).length, 1, 20, "checked codes");
  },

  // docs/protocol.md#second-factor
  async "one code of a second factor"(ground) {
    await ground.database.query("delete from auth.rate_limits");
    const answers = await guessFactor(ground, { sessions: 5, guesses: 4, code: totpCode(secretOfMember) });
    return wantBetween(successesIn(answers), 1, 1, "sessions at aal2");
  },

  async "everything about one account at once"({ burst, target, database }) {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => signInAs("member", target)));
    await burst(64, (number) => {
      const { access_token: token = "", refresh_token } = sessions[number % 8] ?? {};
      const requests: Sent[] = [
        { path: "/auth/v1/logout?scope=others", token, body: {} },
        { path: "/auth/v1/factors", token, body: { factor_type: "totp", friendly_name: `${number}` } },
        { path: "/auth/v1/factors/recovery-codes/regenerate", token, body: {} },
        { path: "/auth/v1/factors/recovery-codes/verify", token, body: { code: "wrong" } },
        { path: "/auth/v1/user", token, method: "PUT", body: { email: `thief-${number}@attack.example` } },
        { path: "/auth/v1/token?grant_type=refresh_token", body: { refresh_token } },
        { path: "/auth/v1/recover", body: { email: emails.member } },
      ];
      return requests[Math.floor(number / 8)] ?? { path: "/auth/v1/user", token };
    });
    const unchanged = "select from auth.users where email = $1 and email_change is null";
    return wantBetween(await count(database, unchanged, emails.member), 1, 1, "accounts with their address");
  },

  // docs/protocol.md#mail-limits
  async "sign-ups of one address"({ burst, database }) {
    const body = { email: "one-sign-up@attack.example", password };
    const answers = await burst(20, () => ({ path: "/auth/v1/signup", body, from: "198.18.11.1" }));
    const accounts = await count(database, "select from auth.users where email = $1", body.email);
    return wantBetween(successesIn(answers), 1, 1, "successful sign-ups") ?? wantBetween(accounts, 1, 1, "accounts");
  },

  async "mails of the whole site"({ burst }) {
    const body = (number: number) => ({ email: `many-${number}@attack.example`, password });
    const answers = await burst(40, (number) => ({ path: "/auth/v1/signup", body: body(number) }));
    // Half of the mails of an hour may be sent at once. The race before this one has used one.
    return wantBetween(successesIn(answers), accountMailsPerHour / 2 - 1, accountMailsPerHour / 2, "mails");
  },

  async "inserts of the same addresses in opposite order"({ burst }) {
    const rows = Array.from({ length: 20 }, (_, number) => newContact(`crossed-${number}`));
    await burst(20, (number) => ({ path: contacts, body: number % 2 ? rows : rows.toReversed() }));
    return undefined;
  },

  // docs/protocol.md#update-and-delete
  async "changes and deletes of the same contacts by two admins"({ burst, target, database }) {
    const ids = await storeContacts(database, "worked-on-%s@attack.example", 20);
    const tokens = await twoAdmins(target);
    const answers = await burst(40, (number) => ({
      // Statements that lock the same rows in different orders can end in a deadlock.
      path: `${contacts}?id=in.(${number % 4 < 2 ? ids : ids.toReversed()})`,
      token: tokens[number % 2],
      ...(number % 8 === 7
        ? { method: "DELETE" }
        : { method: "PATCH", body: { state: "handled", company: `${number}` } }),
    }));
    return wantBetween(answers.filter(({ status }) => status !== 204).length, 0, 0, "refusals");
  },

  async "notes of two admins on one contact"({ burst, target, database }) {
    const [id] = await storeContacts(database, "noted-%s@attack.example", 1);
    const tokens = await twoAdmins(target);
    const path = `${contacts}?id=eq.${id}&note_version=eq.0`;
    const answers = await burst(20, (number) => ({
      ...{ path, token: tokens[number % 2], method: "PATCH" },
      body: { note: `Note ${number}` },
    }));
    // The header counts the changed rows, `0-0/*`, and is `*/*` for none.
    return wantBetween(answers.filter(({ range }) => range.startsWith("0-")).length, 1, 1, "written notes");
  },
};

/** Requests of many at the same moment. At each limit exactly the documented number may succeed, and none fails. */
export async function runRaces(target: Target): Promise<Tally> {
  const tally: Tally = { requests: 0, problems: [] };
  for (const [name, race] of Object.entries(races)) {
    const burst: Ground["burst"] = (count, request) =>
      Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const network = ++tally.requests;
          const url = target.urls[network % target.urls.length] ?? "";
          const sent = request(number);
          const answer = await send(url, { from: publicAddress(network), ...sent });
          if (answer.status >= 500) tally.problems.push(`Race for ${name}: ${answer.status} for ${sent.path}.`);
          return answer;
        }),
      );
    const problem = await race({ burst, database: target.database, target });
    if (problem) tally.problems.push(`Race for ${name}: ${problem}.`);
  }
  return tally;
}

async function send(url: string, { path, body, from = "", token, method }: Sent): Promise<Answer> {
  const json = jsonRequest(body, { "x-forwarded-for": from, ...(token && { authorization: `Bearer ${token}` }) });
  const init = body === undefined ? { headers: json.headers } : json;
  const answer = await fetch(url + path, { ...init, ...(method && { method }), redirect: "manual" });
  const text = await answer.text();
  const range = answer.headers.get("content-range") ?? "";
  return { status: answer.status, range, body: text.startsWith("{") ? JSON.parse(text) : {} };
}

/** Tries a code at the member's second factor from several sessions. Each guess has a challenge and a network of its own. */
async function guessFactor(
  { burst, database, target }: Ground,
  { sessions, guesses, code }: { sessions: number; guesses: number; code: string },
) {
  const signedIn = await Promise.all(Array.from({ length: sessions }, () => signInAs("member", target)));
  const tokenOf = (number: number) => signedIn[number % sessions]?.access_token;
  const factors = await database.query("select id from auth.mfa_factors where secret = $1", [secretOfMember]);
  const path = `/auth/v1/factors/${factors.rows[0]?.id}`;
  const challenges = await burst(sessions * guesses, (number) => ({
    ...{ path: `${path}/challenge`, token: tokenOf(number), body: {}, from: `198.51.${number}.1` },
  }));
  return burst(sessions * guesses, (number) => ({
    ...{ path: `${path}/verify`, token: tokenOf(number), from: `198.51.${number}.1` },
    body: { challenge_id: challenges[number]?.body.id, code },
  }));
}

/** A code as if it were mailed to a new account. */
async function mailCode(database: pg.Pool, email: string): Promise<string> {
  const secrets = await newOneTimeToken(passwordHasher());
  await inTransaction(database, async (db) => {
    const { rows } = await db.query<{ id: string }>("insert into auth.users (email) values ($1) returning id", [email]);
    await issueToken(db, { userId: rows[0]?.id ?? "", purpose: "confirmation" }, secrets, new Date());
  });
  return secrets.code;
}

async function twoAdmins(target: Target): Promise<string[]> {
  const sessions = await Promise.all([signInAs("admin", target), signInAs("admin", target)]);
  return sessions.map(({ access_token }) => access_token);
}

function successesIn(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === 200).length;
}

async function count(database: pg.Pool, sql: string, value: string): Promise<number> {
  return (await database.query(sql, [value])).rowCount ?? 0;
}

function wantBetween(found: number, least: number, most: number, what: string): string | undefined {
  return found >= least && found <= most ? undefined : `${what}: ${found} instead of ${least} to ${most}`;
}
