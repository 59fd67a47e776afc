import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { authWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { hashOf } from "#server/auth/tokens/secrets";
import { defaultPublicKey } from "#server/settings";
import { siteUrl } from "./address.ts";
import { test as base, expect } from "./fixtures.ts";

export interface Account {
  email: string;
  password: string;
}

interface Mail {
  to: string;
  text: string;
}

interface Fixtures {
  /** Nobody has this address yet. */
  stranger: Account;
  /** Signs up without the screen; the address is still to be confirmed, and the mail is on its way. */
  signUp: (account: Account) => Promise<void>;
  /** A confirmed account, put into the database: no mail was sent for it. */
  member: Account;
  /** The same with the role. */
  admin: Account;
  /** The link in the newest mail that lets the owner of this address in, once there are `count` of them. */
  linkFor: (email: string, count?: number) => Promise<string>;
  /** The code in it, likewise. */
  codeFor: (email: string, count?: number) => Promise<string>;
  setAdmin: (email: string, isAdmin: boolean) => Promise<void>;
  /** Lets the minute pass that another mail to this address would have to wait for. */
  endMailWait: (email: string) => Promise<void>;
  /** Logs in through the screen, as a person does. */
  logIn: (account: Account, page?: Page) => Promise<void>;
  /** Puts a new session into the browser. The page is left at an empty one of the site's. */
  startSession: (account: Account, page?: Page) => Promise<void>;
  /** A new session as the client would store it, from a login elsewhere. */
  sessionOf: (account: Account) => Promise<string>;
  /** The ids of this account's sessions on the server. */
  openSessions: (email: string) => Promise<string[]>;
}

const password = "a long walk in the woods";

export const test = base.extend<Fixtures, { passwordHash: string }>({
  passwordHash: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => use(await passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }).hash(password)),
    { scope: "worker" },
  ],

  stranger: async ({ browserName: _ }, use) => {
    await use({ email: `member-${randomUUID()}@example.com`, password });
  },

  signUp: async ({ browserName: _ }, use) => {
    await use(async (account) => void (await post("/auth/v1/signup", account)));
  },

  member: async ({ stranger, passwordHash, database }, use) => {
    await database.query(
      "insert into auth.users (email, encrypted_password, email_confirmed_at) values ($1, $2, now())",
      [stranger.email, passwordHash],
    );
    await use(stranger);
  },

  admin: async ({ member, setAdmin }, use) => {
    await setAdmin(member.email, true);
    await use(member);
  },

  linkFor: async ({ browserName: _ }, use) => {
    await use((email, count = 1) => newest(email, /https?:\S+\/auth(?:\/v1\/verify\?|#)\S+/, count));
  },

  codeFor: async ({ browserName: _ }, use) => {
    await use((email, count = 1) => newest(email, /(?<=: )\d{6}$/m, count));
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
    await use(async ({ email, password }, page = ownPage) => {
      await page.goto("/auth");
      await page.getByLabel(authWords.email).fill(email);
      await page.getByLabel(authWords.password).fill(password);
      await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
      await expect(page).toHaveURL("/");
      await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
    });
  },

  startSession: async ({ page: ownPage, sessionOf }, use) => {
    await use(async (account, page = ownPage) => {
      // The storage belongs to the origin: an empty page of it costs less than a real one, and runs nothing.
      const anywhere = `${siteUrl}/empty`;
      await page.route(anywhere, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
      await page.goto(anywhere);
      await page.unroute(anywhere);
      await page.evaluate(([key, session]) => localStorage.setItem(key, session), [
        sessionKey,
        await sessionOf(account),
      ] as const);
    });
  },

  endMailWait: async ({ database }, use) => {
    await use(async (email) => {
      const marks = [email, `recovery of ${email}`].map(hashOf);
      const ended = await database.query("delete from auth.mail_cooldowns where address_hash = any($1)", [marks]);
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

/** Where the client of a page under test keeps its session. */
export const sessionKey = "sb-localhost-auth-token";

async function post(path: string, body: unknown): Promise<string> {
  const headers = { apikey: defaultPublicKey, "content-type": "application/json" };
  const answer = await fetch(siteUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What the newest of the mails to this address that have such a thing says, once there are `count` of them. */
async function newest(email: string, thing: RegExp, count: number): Promise<string> {
  let found: string[] = [];
  await expect
    .poll(async () => {
      found = (await mailsTo(email)).flatMap(({ text }) => text.match(thing) ?? []);
      return found.length;
    })
    .toBe(count);
  return found[0] ?? "";
}

/** Newest first. */
async function mailsTo(email: string): Promise<Mail[]> {
  const mails: Mail[] = await (await fetch(`${siteUrl}/dev/mail.json`)).json();
  return mails.filter(({ to }) => to === email);
}

export { expect };
