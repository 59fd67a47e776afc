import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { settingNames } from "#server/settings";
import { checkSettings, meantBy } from "./settings-checks.ts";

test.each([
  ["SMTP_ULR", "SMTP_URL"],
  ["NOTIFYTO", "NOTIFY_TO"],
  ["BACKUPDIR", "BACKUP_DIR"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["smtp_url", "SMTP_URL"],
  ["PROT", "PORT"],
  ["TRUSTED_PROXY", "TRUST_PROXY"],
])("%s is a misspelling of %s", (name, meant) => {
  expect(meantBy(name)).toBe(meant);
});

test("common variables of an environment are no misspellings", () => {
  const common =
    "PATH HOME HOSTNAME PWD USER SHELL LANG TERM LOGNAME MAIL EDITOR TZ TMPDIR NODE_ENV NODE_OPTIONS DISPLAY SHLVL OLDPWD CI DEBUG COLOR INIT_CWD npm_config_cache npm_package_name SSH_TTY XDG_DATA_DIRS PGHOST PGPORT POSTGRES_URL JAVA_HOME INVOCATION_ID NODE";
  expect(common.split(" ").filter((name) => meantBy(name) !== undefined)).toEqual([]);
});

test("the settings that cannot be used are told, each with its reason", () => {
  const { findings, settings } = checkSettings({
    ENV_FILE: "",
    PORT: "none",
    NOTIFY_TO: "owner",
    WEBHOOK_URL: "https://hooks.example",
    CONTACT_MONTHS: "12",
  });
  expect(findings.map(({ level, saw }) => `${level} ${saw}`)).toEqual([
    "BROKEN PORT: must be a port number.",
    expect.stringMatching(/^BROKEN NOTIFY_TO: "owner" is not an email address/),
    expect.stringMatching(/^BROKEN WEBHOOK_SECRET: is missing/),
  ]);
  expect(settings).toBeUndefined();
});

test("every unknown name of the file is told, and misspellings in the environment", async () => {
  const folder = await mkdtemp(join(tmpdir(), "doctor-settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "site.env");
  await writeFile(
    file,
    "WEBHOOK_SECRET=owl-feathers-in-the-moonlight\nNOTIFYTO=owner@heron.com\nFAVOURITE_BIRD=owl\nCONTACT_MONTHS=12\nSMTP_URL=smtp://h\nWEBHOOK_URL=https://u:p@h\nSECRETS_KEY=owl-feathers-in-the-moonlight\n",
  );
  await chmod(file, 0o644);
  const { findings, settings } = checkSettings({ ENV_FILE: file, BACKUPDIR: "/var/backups", GREETING: "hello" });
  expect(findings.map(({ level, saw }) => `${level} ${saw}`)).toEqual([
    `look Every user of this machine can read ${file}, which holds SECRETS_KEY, SMTP_URL, WEBHOOK_URL, WEBHOOK_SECRET.`,
    "BROKEN BACKUPDIR is not a setting, so it has no effect. It looks like BACKUP_DIR.",
    "look FAVOURITE_BIRD is in the file of ENV_FILE, but is not a setting.",
    "BROKEN NOTIFYTO is not a setting, so it has no effect. It looks like NOTIFY_TO.",
  ]);
  expect(settings?.contactMonths).toBe(12);
  // The group may be that of the service.
  await chmod(file, 0o640);
  expect(checkSettings({ ENV_FILE: file }).findings.filter(({ saw }) => saw.includes("can read"))).toEqual([]);
});

test("no setting is a misspelling of another", () => {
  expect(settingNames.filter((name) => meantBy(name) !== name)).toEqual([]);
});
