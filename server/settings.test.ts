import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { retention } from "#content/legal";
import { SettingsError } from "#process/start-error";
import { rowsOf } from "#tests/support/text-table";
import { readSettings } from "./settings.ts";

test.each([
  ["TRUST_PROXY", "loopback", ["loopback"]],
  ["TRUST_PROXY", "10.0.0.0/8, 2001:db8::/32,192.0.2.1", ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]],
  ["TRUST_PROXY", "", []],
  [
    "AUTH_REDIRECT_URLS",
    "https://*.example.org/**, http://localhost:*",
    ["https://*.example.org/**", "http://localhost:*"],
  ],
])("readSettings reads the list of %s from %j", (name, value, read) => {
  const { trustProxy, redirectUrls } = readSettings({ [name]: value });
  expect(name === "TRUST_PROXY" ? trustProxy : redirectUrls).toEqual(read);
});

test.each(
  rowsOf(`
  TRUST_PROXY         everybody  true  10.0.0.0/33  10.0.0.0/8/8
  AUTH_REDIRECT_URLS  *  app.example  javascript:**  https://user@app.example/
  AUTH_SIGNUP         maybe
  ADMIN_MFA           on
  AUTH_LIMITS         false
  CONTACT_MONTHS      -1
  SPAM_DAYS           never
  MAIL_FROM           nonsense  ""  Owls <nonsense>  owls@site.example, ida@site.example  Owls: owls@site.example;
  SMTP_ALLOW_PLAIN    yes
  DATA_DIR            dist  dist/data
  BACKUP_DIR          dist/../dist/backups
  BACKUP_KEEP         0
  BACKUP_AT           24:00  3:30
  PORT                0  65536
  PASSWORD_MIN        5  73`),
)("%s refuses %j and the like, and the error names the setting", (name = "", ...values) => {
  for (const value of values) expect(() => readSettings({ [name]: value === '""' ? "" : value })).toThrow(name);
});

test("a time of content/legal.ts that the setting would refuse is refused, and the error names the file", () => {
  const { contactMonths } = retention;
  onTestFinished(() => void Object.assign(retention, { contactMonths }));
  retention.contactMonths = 1.5;
  expect(() => readSettings({})).toThrow(
    "These settings cannot be used:\n  content/legal.ts: contactMonths must be a whole number, or 0 for ever",
  );
  expect(readSettings({ CONTACT_MONTHS: "12" }).contactMonths).toBe(12);
});

test.each([
  ["owls@site.example", "", "owls@site.example"],
  ["Owls & Sons <owls@site.example>", "Owls & Sons", "owls@site.example"],
  ['"Owls, \\"Inc.\\"" <owls@site.example>', 'Owls, "Inc."', "owls@site.example"],
  ["A@B: day; (night), < Sons <owls@site.example>", "A@B: day; (night), < Sons", "owls@site.example"],
  ["Käuze <info@käuze.example>", "Käuze", "info@xn--kuze-loa.example"],
])("MAIL_FROM takes %s", (sender, name, address) => {
  expect(readSettings({ MAIL_FROM: sender }).mailFrom).toEqual({ name, address });
});

test("NOTIFY_TO takes names, domains of any script, and says how several addresses are written", () => {
  const { notifyTo } = readSettings({
    NOTIFY_TO: 'Ada <ada@x.example>, "Bo (night)" <bo@käuze.example>,ida@почта.xn--p1ai, root@localhost',
  });
  expect(notifyTo).toEqual(["ada@x.example", "bo@xn--kuze-loa.example", "ida@xn--80a1acny.xn--p1ai", "root@localhost"]);
  for (const several of ["a@x.example; b@x.example", "a@x.example b@x.example", "a@x.example\nb@x.example"])
    expect(() => readSettings({ NOTIFY_TO: several })).toThrow(
      `NOTIFY_TO: ${JSON.stringify(several)} is not an email address; several are written as ada@x.example, Bo <bo@x.example>`,
    );
  for (const wrong of ["ida", "Ida <ida>", "Owls: a@x.example;", "a@x.example <b@x.example", "ida@", "a@b@x.example"])
    expect(() => readSettings({ NOTIFY_TO: wrong })).toThrow("is not an email address");
});

test.each(["/shop", "/shop/", "/?from=mail", "/#top", "?from=mail"])(
  "SITE_URL refuses an address with %s, and the error says what to write instead",
  (more) => {
    const refusal = "SITE_URL: must be only scheme, host and port: https://site.example:8443";
    expect(() => readSettings({ SITE_URL: `https://site.example:8443${more}` })).toThrow(refusal);
  },
);

test("SITE_URL refuses a user, and takes a slash at the end", () => {
  expect(() => readSettings({ SITE_URL: "https://ida:secret@site.example" })).toThrow(
    /only scheme, host and port: https:\/\/site\.example$/,
  );
  expect(() => readSettings({ SITE_URL: "ftp://site.example/shop" })).toThrow(
    /SITE_URL: must be an http or https address$/,
  );
  expect(readSettings({ SITE_URL: "https://site.example/" }).siteUrl).toBe("https://site.example");
});

test("a folder may be relative, and an empty BACKUP_DIR means no daily backup", () => {
  const { dataDir, buildDir, backup } = readSettings({ DATA_DIR: "a", BUILD_DIR: "b", BACKUP_DIR: "c" });
  expect([dataDir, buildDir, backup?.dir]).toEqual(["a", "b", "c"].map((folder) => resolve(folder)));
  expect(readSettings({ BACKUP_DIR: "" }).backup).toBeUndefined();
});

test("one error lists every wrong setting with one sentence for each", () => {
  const environment = { HOST: "", PORT: "", SMTP_URL: "", NOTIFY_TO: "ida", DATABASE_URL: "", LOG_LEVEL: "loud" };
  expect(() => readSettings(environment)).toThrow(
    new SettingsError([
      "HOST: must not be empty",
      "PORT: must be a port number",
      "DATABASE_URL: must begin with postgres://",
      "SMTP_URL: must begin with smtp:// or smtps://",
      'NOTIFY_TO: "ida" is not an email address; several are written as ada@x.example, Bo <bo@x.example>',
      "LOG_LEVEL: must be fatal, error, warn, info, debug, trace or silent",
    ]),
  );
});

test("WEBHOOK_URL needs WEBHOOK_SECRET", () => {
  const secret = "a secret that nobody guesses";
  expect(readSettings({ WEBHOOK_URL: "https://hooks.example/", WEBHOOK_SECRET: secret }).webhook).toEqual({
    url: "https://hooks.example/",
    secret,
    allowPrivate: false,
  });
  expect(readSettings({})).toMatchObject({ notifyTo: [], webhook: undefined, accountMailsPerHour: 100 });

  expect(() => readSettings({ WEBHOOK_URL: "https://hooks.example/" })).toThrow("WEBHOOK_SECRET: is missing");
  // Both mistakes are told at once.
  expect(() => readSettings({ WEBHOOK_URL: "https://hooks.example/", PORT: "none" })).toThrow(
    /PORT: must be a port number[\s\S]*WEBHOOK_SECRET: is missing/,
  );
  expect(() => readSettings({ ACCOUNT_MAILS_PER_HOUR: "many" })).toThrow("ACCOUNT_MAILS_PER_HOUR: must be a number");
});

test.each([
  ["https://project.example", "https://project.example"],
  ["https://project.example/", "https://project.example"],
  ["https://gateway.example/supabase/", "https://gateway.example/supabase"],
  ["https://site.example/supabase", "https://site.example/supabase"],
  ["http://site.example", "http://site.example"],
  ["https://site.example/", undefined],
  ["https://SITE.example:443", undefined],
  ["", undefined],
])("with PUBLIC_SUPABASE_URL=%s, the hosted project is %s", (url, hosted) => {
  expect(readSettings({ SITE_URL: "https://site.example/", PUBLIC_SUPABASE_URL: url }).hostedUrl).toBe(hosted);
});
