import { relative, resolve } from "node:path";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { isAddressOrNetwork } from "#backend/http/ip-address";
import { retention } from "#content/legal";
import { readEnvironment } from "#process/environment";
import { SettingsError } from "#process/start-error";
import { isPlainEmail, isSingleRecipient } from "#validation/email-address";

/** The public key that is used if PUBLIC_SUPABASE_ANON_KEY is not set. */
export const defaultPublicKey = "sb_publishable_embedded";

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address", abort: true });

const notEmpty = z.string().min(1, "must not be empty");

/** As an absolute path. */
const folder = notEmpty.transform((path) => resolve(path));

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://");

const oneOf = <const W extends readonly string[]>(...words: W) =>
  z.enum(words, `must be ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words)}`);
const onOrOff = (otherwise: "on" | "off") =>
  oneOf("on", "off")
    .default(otherwise)
    .transform((word) => word === "on");

const number = (pattern: RegExp, error: string) => z.string().regex(pattern, error).transform(Number);
const days = number(/^[1-9]\d{0,4}$/, "must be a number of days");
const orForGood = number(/^\d{1,4}$/, "must be a whole number, or 0 for ever");
const mailsPerHour = number(/^[1-9]\d{0,8}$/, "must be a number, at least 1");

/** A list whose entries are separated by commas. */
const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ""));

/** Each setting: its name in the code, its name in the environment, and its rule. What it means: docs/settings.md. */
const table = {
  host: ["HOST", notEmpty.default("localhost")],
  port: [
    "PORT",
    number(/^\d+$/, "must be a port number")
      .refine((port) => port >= 1 && port <= 65535, "must be between 1 and 65535")
      .default(3000),
  ],
  siteUrl: [
    "SITE_URL",
    httpUrl
      .refine(isOrigin, { error: ({ input }) => `must be only scheme, host and port: ${new URL(`${input}`).origin}` })
      .transform(withoutSlash)
      .optional(),
  ],
  dataDir: ["DATA_DIR", folder.default(resolve(".data"))],
  buildDir: ["BUILD_DIR", folder.default(resolve("dist"))],
  /** Its user owns the database. */
  databaseUrl: ["DATABASE_URL", postgresUrl.optional()],
  superuserDatabaseUrl: ["SUPERUSER_DATABASE_URL", postgresUrl.optional()],
  /** The first encrypts. */
  secretsKeys: [
    "SECRETS_KEY",
    list.refine(
      ([first]) => first === undefined || first.length >= 24,
      "must begin with a key of at least 24 random characters",
    ),
  ],
  /** The address of both APIs, as it is compiled into the pages. If it is undefined, a page uses its own origin. */
  publicUrl: ["PUBLIC_SUPABASE_URL", z.union([z.literal(""), httpUrl]).optional()],
  publicKey: ["PUBLIC_SUPABASE_ANON_KEY", z.string().default(defaultPublicKey)],
  smtpUrl: [
    "SMTP_URL",
    z
      .string()
      .regex(/^smtps?:\/\//, { error: "must begin with smtp:// or smtps://", abort: true })
      .refine((url) => URL.parse(url)?.hostname, "must be an address such as smtps://user:p%40ssword@host:465")
      .optional(),
  ],
  smtpAllowPlain: ["SMTP_ALLOW_PLAIN", onOrOff("off")],
  /** Undefined: the brand's own address. */
  mailFrom: [
    "MAIL_FROM",
    z
      .string()
      .transform(mailboxOf)
      .refine(
        ({ address }) => isSingleRecipient(address),
        "must be one address, such as hello@site.example or Name <hello@site.example>",
      )
      .optional(),
  ],
  notifyTo: [
    "NOTIFY_TO",
    list
      .transform((entries) => entries.map((entry) => mailboxOf(entry).address))
      .refine((addresses) => addresses.every(isPlainEmail), {
        error: ({ input = [] }) =>
          `${JSON.stringify((input as string[]).find((address) => !isPlainEmail(address)))} is not an email address; several are written as ada@x.example, Bo <bo@x.example>`,
      }),
  ],
  webhookUrl: ["WEBHOOK_URL", httpUrl.optional()],
  webhookSecret: ["WEBHOOK_SECRET", z.string().min(24, "must be at least 24 random characters").optional()],
  webhookAllowPrivate: ["WEBHOOK_ALLOW_PRIVATE", onOrOff("off")],
  contactMailsPerHour: ["CONTACT_MAILS_PER_HOUR", mailsPerHour.default(30)],
  accountMailsPerHour: ["ACCOUNT_MAILS_PER_HOUR", mailsPerHour.default(100)],
  autoconfirm: ["AUTH_AUTOCONFIRM", onOrOff("off")],
  signUps: ["AUTH_SIGNUP", oneOf("open", "invited", "closed").default("open")],
  adminMfa: ["ADMIN_MFA", oneOf("optional", "required").default("optional")],
  redirectUrls: [
    "AUTH_REDIRECT_URLS",
    list.refine(
      (globs) => globs.every((glob) => /^https?:\/\/[^\s/?#@]+([/?]\S*)?$/i.test(glob)),
      "must list http or https addresses, in which * and ** are wildcards",
    ),
  ],
  limitsAreOn: ["AUTH_LIMITS", onOrOff("on")],
  trustProxy: [
    "TRUST_PROXY",
    list.refine(
      (entries) => entries.every((entry) => entry === "loopback" || isAddressOrNetwork(entry)),
      "must list addresses or networks (10.0.0.0/8), or be loopback",
    ),
  ],
  passwordCharactersMin: [
    "PASSWORD_MIN",
    number(/^\d+$/, "must be a number of characters")
      .refine((characters) => characters >= 6 && characters <= 72, "must be between 6 and 72")
      .default(8),
  ],
  contactMonths: ["CONTACT_MONTHS", orForGood.prefault(() => `${retention.contactMonths}`)],
  spamDays: ["SPAM_DAYS", orForGood.prefault(() => `${retention.spamDays}`)],
  auditDays: ["AUDIT_DAYS", days.default(90)],
  sessionIdleDays: ["SESSION_IDLE_DAYS", days.default(30)],
  sessionMaxDays: ["SESSION_MAX_DAYS", days.default(365)],
  /** Empty as well as undefined: no daily backup. */
  backupDir: ["BACKUP_DIR", z.string().default("")],
  backupKeep: ["BACKUP_KEEP", number(/^[1-9]\d{0,3}$/, "must be a number of backups, at least 1").default(14)],
  backupAt: [
    "BACKUP_AT",
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day in UTC, such as 03:30")
      .default("03:30"),
  ],
  logLevel: ["LOG_LEVEL", oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").optional()],
} as const satisfies Record<string, readonly [name: string, rule: z.ZodType]>;

type Table = typeof table;
export type SettingName = Table[keyof Table][0];

/** The names of all settings, as they stand in the environment. */
export const settingNames: readonly string[] = ["ENV_FILE", ...Object.values(table).map(([name]) => name)];

type Values = { [Key in keyof Table]: z.output<Table[Key][1]> };

/** All settings that an operator can change. Only this file gives the variables of the environment a meaning. */
export type Settings = ReturnType<typeof readSettings>;

/** Throws a `SettingsError` that names every problem at once. */
export function readSettings(environment: NodeJS.ProcessEnv = readEnvironment()) {
  const problems: string[] = [];
  const read = Object.entries<Table[keyof Table]>(table).map(([key, [name, rule]]) => {
    const { data, error } = rule.safeParse(environment[name]);
    // Only what `content/legal.ts` says instead of a setting can be wrong without one.
    const place = environment[name] === undefined ? `content/legal.ts: ${key}` : `${name}:`;
    problems.push(...(error?.issues ?? []).map(({ message }) => `${place} ${message}`));
    return [key, data];
  });
  const values: Values = Object.fromEntries(read);
  problems.push(...contradictionsIn(values, environment));
  if (problems.length > 0) throw new SettingsError(problems);

  const { webhookUrl, webhookSecret, webhookAllowPrivate, backupDir, backupKeep, backupAt, ...others } = values;
  const siteUrl = values.siteUrl ?? `http://localhost:${values.port}`;
  return {
    ...others,
    siteUrl,
    /** A hosted project that has the contacts and answers the browser. If it is undefined, this server does both. */
    hostedUrl: hostedUrlOf(values.publicUrl, siteUrl),
    webhook:
      webhookUrl && webhookSecret
        ? { url: webhookUrl, secret: webhookSecret, allowPrivate: webhookAllowPrivate }
        : undefined,
    backup: backupDir ? { dir: resolve(backupDir), keep: backupKeep, at: backupAt } : undefined,
  };
}

/** A value that is wrong by itself is undefined here. */
function contradictionsIn(
  { dataDir, buildDir, backupDir, webhookUrl }: Partial<Values>,
  { WEBHOOK_SECRET: secret }: NodeJS.ProcessEnv,
): string[] {
  const problem = (isProblem: unknown, sentence: string) => (isProblem ? [sentence] : []);
  return [
    ...problem(isInside(dataDir, buildDir), "DATA_DIR: must not be in BUILD_DIR: each build replaces that folder"),
    ...problem(
      backupDir && isInside(resolve(backupDir), buildDir),
      "BACKUP_DIR: must not be in BUILD_DIR: each build replaces that folder, and visitors can read it",
    ),
    ...problem(
      webhookUrl && !secret,
      "WEBHOOK_SECRET: is missing: the receiver at WEBHOOK_URL needs it to verify that a call is from this server",
    ),
  ];
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
function isInside(folder?: string, other?: string): boolean {
  return folder !== undefined && other !== undefined && !/^\.\.|^[a-z]:/i.test(relative(other, folder));
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
