import type pg from "pg";
import { jsonRequest, newContact, publicAddress } from "../load/requests.ts";
import { emails, secretOfMember, signInAs, storeContacts, type Tally, type Target } from "./target.ts";

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

/** Each race returns a sentence if the attacker won. */
type Race = (ground: Ground) => Promise<string | undefined>;

const contacts = "/rest/v1/contacts";

const races: Record<string, Race> = {
  // docs/protocol.md#attempts-of-second-factors
  async "guesses of a second factor from many sessions and networks"({ burst, target, database }) {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => signInAs("member", target)));
    const factors = await database.query("select id from auth.mfa_factors where secret = $1", [secretOfMember]);
    const guess = (number: number, step: string, body: object) => ({
      path: `/auth/v1/factors/${factors.rows[0]?.id}/${step}`,
      token: sessions[number % sessions.length]?.access_token,
      body,
      // A challenge is answered from where it was asked for.
      from: `198.51.${number}.1`,
    });
    const challenges = await burst(40, (number) => guess(number, "challenge", {}));
    const answers = await burst(40, (number) =>
      guess(number, "verify", { challenge_id: challenges[number]?.body.id, code: "000000" }),
    );
    return wantBetween(answers.filter(({ status }) => status === 422).length, 1, 20, "checked codes");
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

  async "two admins who take one contact"({ burst, target, database }) {
    const [id] = await storeContacts(database, "taken-%s@attack.example", 1);
    const tokens = await twoAdmins(target);
    const { rows } = await database.query("select user_id as id from public.user_roles where role = 'admin'");
    const path = `${contacts}?id=eq.${id}&handled_by=is.null`;
    const answers = await burst(20, (number) => ({
      ...{ path, token: tokens[number % 2], method: "PATCH" },
      body: { handled_by: rows[number % rows.length]?.id },
    }));
    return wantBetween(answers.filter(({ range }) => range.startsWith("0-")).length, 1, 1, "takings");
  },
};

/** Requests of many at the same moment, of which none may fail. */
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

async function twoAdmins(target: Target): Promise<string[]> {
  const sessions = await Promise.all([signInAs("admin", target), signInAs("admin", target)]);
  return sessions.map(({ access_token }) => access_token);
}

async function count(database: pg.Pool, sql: string, value: string): Promise<number> {
  return (await database.query(sql, [value])).rowCount ?? 0;
}

function wantBetween(found: number, least: number, most: number, what: string): string | undefined {
  return found >= least && found <= most ? undefined : `${what}: ${found} instead of ${least} to ${most}`;
}
