import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { authMessages } from "#content/messages";
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
  /** Signs up without the screen; the address is still to be confirmed. */
  signUp: (account: Account) => Promise<void>;
  /** A confirmed account. */
  member: Account;
  /** A confirmed account with the role. */
  admin: Account;
  /** The link in the newest mail that lets the owner of this address in, once there are `count` of them. */
  linkFor: (email: string, count?: number) => Promise<string>;
  /** The code in it, likewise. */
  codeFor: (email: string, count?: number) => Promise<string>;
  setAdmin: (email: string, isAdmin: boolean) => Promise<void>;
  logIn: (account: Account, page?: Page) => Promise<void>;
  /** A new session as the client would store it, from a login elsewhere. */
  sessionOf: (account: Account) => Promise<string>;
  /** The ids of this account's sessions on the server. */
  openSessions: (email: string) => Promise<string[]>;
}

export const test = base.extend<Fixtures>({
  stranger: async ({ browserName: _ }, use) => {
    await use({ email: `member-${randomUUID()}@example.com`, password: "a long walk in the woods" });
  },

  signUp: async ({ browserName: _ }, use) => {
    await use(async (account) => void (await post("/auth/v1/signup", account)));
  },

  member: async ({ stranger, signUp, linkFor }, use) => {
    await signUp(stranger);
    await post("/auth/v1/verify", proofIn(await linkFor(stranger.email)));
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
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Login", exact: true }).click();
      await expect(page).toHaveURL("/");
      await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
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

async function post(path: string, body: unknown): Promise<string> {
  const headers = { apikey: "sb_publishable_embedded", "content-type": "application/json" };
  const answer = await fetch(siteUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What a page that a link leads to sends on, wherever in the address it stands. */
function proofIn(link: string) {
  const { hash, searchParams } = new URL(link);
  const values = hash ? new URLSearchParams(hash.slice(1)) : searchParams;
  return { token_hash: values.get("token_hash") ?? values.get("token"), type: values.get("type") };
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
