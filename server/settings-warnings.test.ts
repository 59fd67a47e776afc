import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { settingsWarnings } from "./settings-warnings.ts";

test("settingsWarnings reports empty PUBLIC_SUPABASE_ settings, but not missing settings", () => {
  expect(settingsWarnings(readSettings({ SUPERUSER_DATABASE_URL: "postgres://a:b@c/d" }))).toEqual([
    expect.stringMatching(/^SUPERUSER_DATABASE_URL is for database-setup only/),
  ]);
  expect(settingsWarnings(readSettings({}), { SMTP_URL: "smtp://mail.example" })).toEqual([]);
  expect(settingsWarnings(readSettings({ PUBLIC_SUPABASE_URL: "", PUBLIC_SUPABASE_ANON_KEY: "" }))).toEqual([
    expect.stringMatching(/^PUBLIC_SUPABASE_URL is empty.+supabaseUrl is required\./),
    expect.stringMatching(/^PUBLIC_SUPABASE_ANON_KEY is empty.+supabaseKey is required\./),
  ]);
});

test("settingsWarnings names in one sentence the settings that have no effect with a hosted project", () => {
  const environment = {
    PUBLIC_SUPABASE_URL: "https://project.example",
    NOTIFY_TO: "ida@example.com",
    AUTH_SIGNUP: "closed",
    ADMIN_MFA: "required",
  };
  expect(settingsWarnings(readSettings(environment), environment)).toEqual([
    expect.stringMatching(/have no effect: NOTIFY_TO, AUTH_SIGNUP, ADMIN_MFA\.$/),
  ]);
});
