import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { hashOf } from "#backend/auth/tokens/random-tokens";
import { bucketOf } from "#backend/limits/limits";
import { authMessages } from "#content/messages";
import { defaultPublicKey } from "#server/settings";
import { devMailPath } from "../../support/dev-mailbox.ts";
import { siteUrl } from "../../support/site.ts";
import { type Account, submitLogin } from "./auth-forms.ts";
import { test as base, expect } from "./fixtures.ts";

interface Mail {
  to: string;
  text: string;
}

interface Fixtures {
  /** An email address and a password for which no account exists. */
  stranger: Account;
  /** Signs up through the API. The server then queues the confirmation mail; the address is not confirmed yet. */
  signUp: (account: Account) => Promise<void>;
  /** Inserts a confirmed account directly into the database, so that the server sends no mail for it. */
  addMember: (email: string) => Promise<Account>;
  /** A confirmed account. */
  member: Account;
  /** A confirmed account with the role admin. */
  admin: Account;
  /** Waits until the address has `count` mails with a sign-in link, and returns the newest link. */
  linkFor: (email: string, count?: number) => Promise<string>;
  /** Waits until the address has `count` mails with a code, and returns the newest code. */
  codeFor: (email: string, count?: number) => Promise<string>;
  setAdmin: (email: string, isAdmin: boolean) => Promise<void>;
  /** Lets the server send another mail to the address at once, instead of only a minute after the last one. */
  endMailWait: (email: string) => Promise<void>;
  /** Logs in with the form at /auth. */
  logIn: (account: Account, page?: Page) => Promise<void>;
  /** Stores a new session in the browser. Afterwards the tab is at an empty page of the site. */
  startSession: (account: Account, page?: Page) => Promise<void>;
  /** Logs in through the API and returns the new session in the form in which the client library stores it. */
  sessionOf: (account: Account) => Promise<string>;
  /** The ids of the account's sessions in the database. */
  openSessions: (email: string) => Promise<string[]>;
}

const password = "a long walk in the woods";
const passwordHash = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }).hash(password);

export const test = base.extend<Fixtures>({
  stranger: async ({ browserName: _ }, use) => {
    await use({ email: `member-${randomUUID()}@example.com`, password });
  },

  signUp: async ({ browserName: _ }, use) => {
    await use(async (account) => void (await post("/auth/v1/signup", account)));
  },

  addMember: async ({ database }, use) => {
    await use(async (email) => {
      const insert = "insert into auth.users (email, encrypted_password, email_confirmed_at) values ($1, $2, now())";
      await database.query(insert, [email, await passwordHash]);
      return { email, password };
    });
  },

  member: async ({ stranger, addMember }, use) => use(await addMember(stranger.email)),

  admin: async ({ member, setAdmin }, use) => {
    await setAdmin(member.email, true);
    await use(member);
  },

  linkFor: async ({ browserName: _ }, use) => {
    await use((email, count = 1) => newestMatch(email, /https?:\S+\/auth(?:\/v1\/verify\?|#)\S+/, count));
  },

  codeFor: async ({ browserName: _ }, use) => {
    await use((email, count = 1) => newestMatch(email, /(?<=: )\d{6}$/m, count));
  },

  setAdmin: async ({ database }, use) => {
    await use(async (email, isAdmin) => {
      const change = isAdmin
        ? "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1"
        : "delete from public.user_roles where user_id = (select id from auth.users where email = $1)";
      expect((await database.query(change, [email])).rowCount).toBe(1);
    });
  },

  logIn: async ({ page: ownPage }, use) => {
    await use(async (account, page = ownPage) => {
      await page.goto("/auth");
      await submitLogin(page, account);
      await expect(page).toHaveURL("/");
      await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
    });
  },

  startSession: async ({ page: ownPage, sessionOf }, use) => {
    await use(async (account, page = ownPage) => {
      // All pages of an origin share one local storage. An empty page loads faster than a real page and runs no
      // scripts.
      const emptyPage = `${siteUrl}/empty`;
      await page.route(emptyPage, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
      await page.goto(emptyPage);
      await page.unroute(emptyPage);
      await storeSession(page, await sessionOf(account));
    });
  },

  endMailWait: async ({ database }, use) => {
    await use(async (email) => {
      // The browser's loopback address may be either.
      const keys = ["127.0.0.1", "::1"].flatMap((ip) =>
        ["sign-up", "recovery"].map((mail) => hashOf(bucketOf("repeated mail requests", { mail, ip, email }))),
      );
      const ended = await database.query("delete from auth.rate_limits where key_hash = any($1)", [keys]);
      expect(ended.rowCount).toBeGreaterThan(0);
    });
  },

  sessionOf: async ({ browserName: _ }, use) => {
    await use((account) => post("/auth/v1/token?grant_type=password", account));
  },

  openSessions: async ({ database }, use) => {
    await use(async (email) => {
      const sql = "select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1";
      return (await database.query(sql, [email])).rows.map(({ id }) => id);
    });
  },
});

/** The key in local storage under which the client library stores its session. */
export const sessionKey = "sb-localhost-auth-token";

/** Stores a session for the origin of the open page, as the client library does. */
export function storeSession(page: Page, session: string): Promise<void> {
  return page.evaluate(([key, stored]) => localStorage.setItem(key, stored), [sessionKey, session] as const);
}

export function expireSession(session: string): string {
  return JSON.stringify({ ...JSON.parse(session), expires_at: Math.floor(Date.now() / 1000) - 60 });
}

async function post(path: string, body: unknown): Promise<string> {
  const headers = { apikey: defaultPublicKey, "content-type": "application/json" };
  const answer = await fetch(siteUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Waits until `count` mails to the address match the pattern, and returns the newest match. */
async function newestMatch(email: string, pattern: RegExp, count: number): Promise<string> {
  let matches: string[] = [];
  const read = async () => {
    matches = (await mailsTo(email)).flatMap(({ text }) => text.match(pattern) ?? []);
    return matches.length;
  };
  // A mail arrives soon, and many tests wait for one. By default the pauses grow to a second.
  await expect.poll(read, { intervals: [50] }).toBe(count);
  return matches[0] ?? "";
}

/** The mails to this address that the server has captured, newest first. */
async function mailsTo(email: string): Promise<Mail[]> {
  const mails: Mail[] = await (await fetch(siteUrl + (await devMailPath(process.env.E2E_DATA_DIR ?? "")))).json();
  return mails.filter(({ to }) => to === email);
}

export { expect };
