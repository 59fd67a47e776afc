import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { accountMails } from "#content/account-mails";
import { hostedTemplates } from "../../tools/write-hosted-templates.ts";

interface Template {
  subject: string;
  content_path: string;
}

/** The part of supabase/config.toml that these tests read. */
interface Config {
  auth: {
    site_url: string;
    additional_redirect_urls: string[];
    mfa: unknown;
    email: { template: Record<string, Template>; notification: Record<string, unknown> };
  };
}

const configFile = new URL("../../supabase/config.toml", import.meta.url);
const configText = readFileSync(configFile, "utf8");
const { auth } = parse(configText) as unknown as Config;

const remedy = "Run `npm run write-hosted-templates`.";

test.each(hostedTemplates())("supabase/config.toml uses the $name mail of content/account-mails.ts", (template) => {
  const { name, subject, file, html } = template;
  const content_path = `./supabase/templates/${name}.html`;
  expect(auth.email.template[name], remedy).toEqual({ subject, content_path });
  expect(readFileSync(file, "utf8"), remedy).toBe(html);
});

test("supabase/config.toml has this server's rules for passwords, codes and second factors", () => {
  expect(auth).toMatchObject({ minimum_password_length: 8 });
  expect(auth.mfa).toEqual({ max_enrolled_factors: 10, totp: { enroll_enabled: true, verify_enabled: true } });
  expect(auth.email).toMatchObject({ enable_confirmations: true, otp_length: 6, otp_expiry: 3600 });
  expect(auth.email).toMatchObject({ double_confirm_changes: true });
  for (const kind of ["password-changed", "email-changed"] as const) {
    const { subject } = accountMails[kind];
    expect(auth.email.notification[kind.replace("-", "_")], remedy).toEqual({ enabled: true, subject });
  }
  for (const address of auth.additional_redirect_urls) expect(new URL(address).origin).toBe(auth.site_url);
});
