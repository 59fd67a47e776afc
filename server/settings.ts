import { relative, resolve } from "node:path";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { isAddressOrNetwork } from "#backend/http/ip-address";
import { readEnvironment } from "#process/environment";
import { SettingsError } from "#process/start-error";
import { isPlainEmail, isSingleRecipient } from "#validation/email-address";

/** The public key that is used if PUBLIC_SUPABASE_ANON_KEY is not set. */
export const defaultPublicKey = "sb_publishable_embedded";

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address", abort: true });

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://");

const oneOf = <const W extends readonly string[]>(...words: W) =>
  z.enum(words, `must be ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words)}`);
const onOrOff = oneOf("on", "off");

const number = (pattern: RegExp, error: string) => z.string().regex(pattern, error).transform(Number);
const days = number(/^[1-9]\d{0,4}$/, "must be a number of days");
const orForGood = number(/^\d{1,4}$/, "must be a number, or 0 for ever");
const mailsPerHour = number(/^[1-9]\d{0,8}$/, "must be a number, at least 1");

/** A list whose entries are separated by commas. */
const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ""));

const variables = z.object({
  HOST: z.string().min(1, "must not be empty").default("localhost"),
  PORT: number(/^\d+$/, "must be a port number")
    .refine((port) => port >= 1 && port <= 65535, "must be between 1 and 65535")
    .default(3000),
  SITE_URL: httpUrl
    .refine(isOrigin, { error: ({ input }) => `must be only scheme, host and port: ${new URL(`${input}`).origin}` })
    .optional(),
  DATA_DIR: z.string().min(1, "must not be empty").default(".data"),
  BUILD_DIR: z.string().min(1, "must not be empty").default("dist"),
  DATABASE_URL: postgresUrl.optional(),
  SUPERUSER_DATABASE_URL: postgresUrl.optional(),
  SECRETS_KEY: list.refine(
    ([first]) => first === undefined || first.length >= 24,
    "must begin with a key of at least 24 random characters",
  ),
  PUBLIC_SUPABASE_URL: z.union([z.literal(""), httpUrl]).optional(),
  PUBLIC_SUPABASE_ANON_KEY: z.string().default(defaultPublicKey),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, { error: "must begin with smtp:// or smtps://", abort: true })
    .refine((url) => URL.parse(url)?.hostname, "must be an address such as smtps://user:p%40ssword@host:465")
    .optional(),
  SMTP_ALLOW_PLAIN: onOrOff.default("off"),
  MAIL_FROM: z
    .string()
    .transform(mailboxOf)
    .refine(
      ({ address }) => isSingleRecipient(address),
      "must be one address, such as hello@site.example or Name <hello@site.example>",
    )
    .optional(),
  NOTIFY_TO: list
    .transform((entries) => entries.map((entry) => mailboxOf(entry).address))
    .refine((addresses) => addresses.every(isPlainEmail), {
      error: ({ input = [] }) =>
        `${JSON.stringify((input as string[]).find((address) => !isPlainEmail(address)))} is not an email address; several are written as ada@x.example, Bo <bo@x.example>`,
    }),
  WEBHOOK_URL: httpUrl
    .refine((url) => !/\/\/[^/]*%(?![\da-f]{2})[^/]*@/i.test(url), "must have %25 for a % in its user or password")
    .optional(),
  WEBHOOK_SECRET: z.string().min(24, "must be at least 24 random characters").optional(),
  WEBHOOK_ALLOW_PRIVATE: onOrOff.default("off"),
  CONTACT_MAILS_PER_HOUR: mailsPerHour.default(30),
  ACCOUNT_MAILS_PER_HOUR: mailsPerHour.default(100),
  AUTH_AUTOCONFIRM: onOrOff.default("off"),
  AUTH_SIGNUP: oneOf("open", "invited", "closed").default("open"),
  ADMIN_MFA: oneOf("optional", "required").default("optional"),
  AUTH_REDIRECT_URLS: list.refine(
    (globs) => globs.every((glob) => /^https?:\/\/[^\s/?#@]+([/?]\S*)?$/i.test(glob)),
    "must list http or https addresses, in which * and ** are wildcards",
  ),
  AUTH_LIMITS: onOrOff.default("on"),
  TRUST_PROXY: list.refine(
    (entries) => entries.every((entry) => entry === "loopback" || isAddressOrNetwork(entry)),
    "must list addresses or networks (10.0.0.0/8), or be loopback",
  ),
  PASSWORD_MIN: number(/^\d+$/, "must be a number of characters")
    .refine((characters) => characters >= 6 && characters <= 72, "must be between 6 and 72")
    .default(8),
  CONTACT_MONTHS: orForGood.default(24),
  SPAM_DAYS: orForGood.default(30),
  AUDIT_DAYS: days.default(90),
  SESSION_IDLE_DAYS: days.default(30),
  SESSION_MAX_DAYS: days.default(365),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: number(/^[1-9]\d{0,3}$/, "must be a number of backups, at least 1").default(14),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day in UTC, such as 03:30")
    .default("03:30"),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").optional(),
});

const schema = variables
  .refine(({ DATA_DIR, BUILD_DIR }) => !isInside(DATA_DIR, BUILD_DIR), {
    path: ["DATA_DIR"],
    error: "must not be in BUILD_DIR: each build replaces that folder",
  })
  .refine(({ BACKUP_DIR, BUILD_DIR }) => !BACKUP_DIR || !isInside(BACKUP_DIR, BUILD_DIR), {
    path: ["BACKUP_DIR"],
    error: "must not be in BUILD_DIR: each build replaces that folder, and visitors can read it",
  })
  .refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => !WEBHOOK_URL || WEBHOOK_SECRET, {
    path: ["WEBHOOK_SECRET"],
    error: "is missing: the receiver at WEBHOOK_URL needs it to verify that a call is from this server",
  });

export type SettingName = keyof z.input<typeof variables>;

/** The names of all settings, as they stand in the environment. */
export const settingNames: readonly string[] = ["ENV_FILE", ...Object.keys(variables.shape)];

/** All settings that an operator can change. Only this file gives the variables of the environment a meaning. */
export type Settings = ReturnType<typeof readSettings>;

/** Throws a `SettingsError` that names every problem at once. What each setting means: docs/settings.md. */
export function readSettings(environment: NodeJS.ProcessEnv = readEnvironment()) {
  const parsed = schema.safeParse(environment);
  if (!parsed.success)
    throw new SettingsError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));

  const values = parsed.data;
  const siteUrl = withoutSlash(values.SITE_URL ?? `http://localhost:${values.PORT}`);
  return {
    host: values.HOST,
    port: values.PORT,
    /** Without a slash at the end, as `hostedUrl`. */
    siteUrl,
    /** Absolute paths, as the directory of `backup`. */
    dataDir: resolve(values.DATA_DIR),
    buildDir: resolve(values.BUILD_DIR),
    /** Its user owns the database. */
    databaseUrl: values.DATABASE_URL,
    /** The first encrypts. */
    secretsKeys: values.SECRETS_KEY,
    superuserDatabaseUrl: values.SUPERUSER_DATABASE_URL,
    /** The address of both APIs, as it is compiled into the pages. If it is undefined, a page uses its own origin. */
    publicUrl: values.PUBLIC_SUPABASE_URL,
    publicKey: values.PUBLIC_SUPABASE_ANON_KEY,
    /** A hosted project that has the contacts and answers the browser. If it is undefined, this server does both. */
    hostedUrl: hostedUrlOf(values.PUBLIC_SUPABASE_URL, siteUrl),
    smtpUrl: values.SMTP_URL,
    smtpAllowPlain: values.SMTP_ALLOW_PLAIN === "on",
    /** Undefined: the brand's own address. */
    mailFrom: values.MAIL_FROM,
    notifyTo: values.NOTIFY_TO,
    webhook: webhookOf(values),
    contactMailsPerHour: values.CONTACT_MAILS_PER_HOUR,
    accountMailsPerHour: values.ACCOUNT_MAILS_PER_HOUR,
    autoconfirm: values.AUTH_AUTOCONFIRM === "on",
    passwordCharactersMin: values.PASSWORD_MIN,
    signUps: values.AUTH_SIGNUP,
    adminMfa: values.ADMIN_MFA,
    redirectUrls: values.AUTH_REDIRECT_URLS,
    limitsAreOn: values.AUTH_LIMITS === "on",
    trustProxy: values.TRUST_PROXY,
    /** 0 means for ever. */
    contactMonths: values.CONTACT_MONTHS,
    spamDays: values.SPAM_DAYS,
    auditDays: values.AUDIT_DAYS,
    sessionIdleDays: values.SESSION_IDLE_DAYS,
    sessionMaxDays: values.SESSION_MAX_DAYS,
    backup: backupOf(values),
    logLevel: values.LOG_LEVEL,
  };
}

/**
 * The site's own origin is this server. Its origin with a path is not: this server has its APIs at the root only, so a
 * proxy leads to something else there.
 */
function hostedUrlOf(publicUrl: string | undefined, siteUrl: string): string | undefined {
  if (!publicUrl) return undefined;
  const { origin, pathname } = new URL(publicUrl);
  const address = withoutSlash(origin + pathname);
  return address === new URL(siteUrl).origin ? undefined : address;
}

/** Whether the folder is the other one or lies in it. */
function isInside(folder: string, other: string): boolean {
  return !/^\.\.|^[a-z]:/i.test(relative(other, folder));
}

/** Pages and APIs are at the root of their host only. A slash at the end is removed later. */
function isOrigin(address: string): boolean {
  const { pathname, search, hash, username, password } = new URL(address);
  return withoutSlash(pathname) + search + hash + username + password === "";
}

/**
 * Reads `Name <address>` or an address. Any character may stand in the name, with or without quotes: as a header is read,
 * a colon or a comma in it would end the address.
 */
function mailboxOf(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^(.*)<([^<>]*)>$/s.exec(text.trim()) ?? [];
  return {
    name: name.trim().replace(/^"(.*)"$/s, (_, quoted: string) => quoted.replace(/\\(.)/gs, "$1")),
    address: address.trim().replace(/(?<=@)[^@]+$/, (domain) => domainToASCII(domain) || domain),
  };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

function webhookOf(values: z.output<typeof schema>) {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret, WEBHOOK_ALLOW_PRIVATE } = values;
  return url && secret ? { url, secret, allowPrivate: WEBHOOK_ALLOW_PRIVATE === "on" } : undefined;
}

function backupOf({ BACKUP_DIR: dir, BACKUP_KEEP: keep, BACKUP_AT: at }: z.output<typeof schema>) {
  return dir ? { dir: resolve(dir), keep, at } : undefined;
}
