import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { accountMails } from "#content/mails";
import { type MailTemplate, renderHtml } from "./mail-template.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const config = readToml(`${root}supabase/config.toml`);

/** Their names on a hosted project, what the page that a link leads to is told, and our letter. */
const templates = [
  ["confirmation", "signup", accountMails["confirm-address"]],
  ["recovery", "recovery", accountMails.recover],
  ["invite", "invite", accountMails.invite],
] as const;

test.each(templates)(
  "a hosted project's %s mail is ours, with a link to our page and the code",
  async (name, type, letter) => {
    const link = `{{ .SiteURL }}/auth#token_hash={{ .TokenHash }}&type=${type}`;
    const { subject, content_path } = config[`auth.email.template.${name}`] ?? {};
    expect(subject).toBe(letter.subject);
    expect(content_path).toBe(`./supabase/templates/${name}.html`);
    // After a change of words or of the name: npx vitest run hosted-templates --update
    await expect(renderHtml(asHosted(letter), { link, code: "{{ .Token }}" })).toMatchFileSnapshot(root + content_path);
  },
);

test("a hosted project asks as much of a password as we do, and of a code", () => {
  expect(config.auth).toMatchObject({ minimum_password_length: 8 });
  expect(config["auth.email"]).toMatchObject({ enable_confirmations: true, otp_length: 6, otp_expiry: 3600 });
  expect(config["auth.email.notification.password_changed"]).toEqual({
    enabled: true,
    subject: accountMails["password-changed"].subject,
  });
  for (const address of (config.auth?.additional_redirect_urls ?? []) as string[]) {
    expect(new URL(address).origin).toBe(config.auth?.site_url);
  }
});

/** Link and code share one time there (`otp_expiry`), so the link's day is an hour. */
function asHosted(letter: MailTemplate): MailTemplate {
  return { ...letter, paragraphs: letter.paragraphs.map((words) => words.replace("for one day", "for one hour")) };
}

/** As much TOML as our file uses: tables, and on each line a value that is JSON as well. Anything else is an error. */
function readToml(file: string): Record<string, Record<string, unknown>> {
  const tables: Record<string, Record<string, unknown>> = {};
  let table: Record<string, unknown> = {};
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, name] = /^\[([\w.]+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    if (name && tables[name]) throw new Error(`${name} stands there twice.`);
    if (name) tables[name] = table = {};
    else if (key && value && !(key in table)) table[key] = JSON.parse(value);
    else if (line !== "" && !line.startsWith("#")) throw new Error(`This line is not understood: ${line}`);
  }
  return tables;
}
