/**
 * Writes the mails of a hosted Supabase project from content/account-mails.ts: the texts into supabase/templates/, the subjects
 * into supabase/config.toml. A test compares both: run `npm run write-hosted-templates` after a change of the mails'
 * texts, of the brand's name or of its colours.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { accountMails } from "#content/account-mails";
import { type MailTemplate, renderHtml } from "#server/mail/mail-template";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The templates, with their names on a hosted project and the type of link that the page `/auth` expects. */
const templates = [
  { name: "confirmation", type: "signup", template: accountMails["confirm-address"] },
  { name: "recovery", type: "recovery", template: accountMails.recover },
  { name: "invite", type: "invite", template: accountMails.invite },
  {
    name: "email_change",
    type: "email_change",
    template: {
      ...accountMails["change-email"],
      details: [
        ["Current address", "{{ .Email }}"],
        ["New address", "{{ .NewEmail }}"],
      ],
    },
  },
] as const;

export function hostedTemplates() {
  return templates.map(({ name, type, template }) => {
    const link = `{{ .SiteURL }}/auth#token_hash={{ .TokenHash }}&type=${type}`;
    return {
      name,
      subject: template.subject,
      file: `${root}supabase/templates/${name}.html`,
      html: renderHtml(withHostedLifetime(template), { link, code: "{{ .Token }}" }),
    };
  });
}

/** On a hosted project, link and code share one lifetime (`otp_expiry`): a link is valid for an hour, not for a day. */
function withHostedLifetime(template: MailTemplate): MailTemplate {
  return { ...template, paragraphs: template.paragraphs.map((text) => text.replace("for one day", "for one hour")) };
}

/** Returns the text of supabase/config.toml with the subjects of all mails. */
function withSubjects(config: string): string {
  const subjects: [table: string, subject: string][] = [
    ...hostedTemplates().map(({ name, subject }): [string, string] => [`template.${name}`, subject]),
    ["notification.email_changed", accountMails["email-changed"].subject],
    ["notification.password_changed", accountMails["password-changed"].subject],
  ];
  return subjects.reduce(
    (text, [table, subject]) =>
      text.replace(
        new RegExp(`(?<=^\\[auth\\.email\\.${table}\\]\n(?:enabled = true\n)?)subject = .*`, "m"),
        () => `subject = ${JSON.stringify(subject)}`,
      ),
    config,
  );
}

if (import.meta.main) {
  for (const { file, html } of hostedTemplates()) writeFileSync(file, html);
  const config = `${root}supabase/config.toml`;
  writeFileSync(config, withSubjects(readFileSync(config, "utf8")));
}
