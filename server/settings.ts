import { resolve } from "node:path";
import { z } from "zod";
import { isPlainEmail } from "#validation/email-address";
import { isAddressOrNetwork } from "./http/ip-address.ts";

/** The public key of a server without PUBLIC_SUPABASE_ANON_KEY. */
export const defaultPublicKey = "sb_publishable_embedded";

/** Everything an operator can set. This is the only file that reads the environment. */
export interface Settings {
  /** Where the server listens. */
  host: string;
  port: number;
  /** The site's public address, without a slash at the end. */
  siteUrl: string;
  /** Where the embedded PostgreSQL, its password and its log live. Absolute. */
  dataDir: string;
  /** Where the built site is kept. Absolute. */
  buildDir: string;
  /** A PostgreSQL of one's own instead of the embedded one. Its user must be allowed to create roles. */
  databaseUrl: string | undefined;
  /** Compiled into the pages: the data API's address (undefined: the page's own origin) and its public key. */
  publicUrl: string | undefined;
  publicKey: string;
  /** smtp:// or smtps://, with user and password if the server wants them. */
  smtpUrl: string | undefined;
  /** Who our mails come from; undefined: the brand's own address. */
  mailFrom: string | undefined;
  /** Who is told of a contact by mail. */
  notifyTo: readonly string[];
  /** The program that is told of a contact, and what its calls are signed with. */
  webhook: { url: string; secret: string; allowPrivate: boolean } | undefined;
  /** How many account mails may be asked for within an hour, by everybody together. */
  accountMailsPerHour: number;
  /** Whether a sign-up counts as confirmed without a mail. */
  autoconfirm: boolean;
  /** How long a new password must be, in characters. */
  passwordCharactersMin: number;
  /** Who may make an account: anybody, whom an operator invites, or whom an operator makes one for. */
  signUps: "open" | "invited" | "closed";
  /** Addresses beside the site's own where a mailed link may end; `*` stops at a dot or slash, `**` does not. */
  redirectUrls: readonly string[];
  /** Whether requests and password tries are counted. Off is for tests that sign up a hundred people in a minute. */
  limits: boolean;
  /** Addresses and networks of the proxies that may say for whom they ask. */
  trustProxy: readonly string[];
  /** How many days the audit log is kept. */
  auditDays: number;
  /** How many days after its last use, and after its beginning, a session ends. */
  sessionIdleDays: number;
  sessionMaxDays: number;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent" | undefined;
}

/** Names every setting that is wrong, one line each. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(["These settings cannot be used:", ...problems.map((problem) => `  ${problem}`)].join("\n"));
    this.name = "SettingsError";
  }
}

const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const onOrOff = z.enum(["on", "off"], "must be on or off");

const days = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, "must be a number of days")
  .transform(Number);

/** Separated by commas. */
const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ""));

const single = z.object({
  HOST: z.string().min(1).default("localhost"),
  PORT: z
    .string()
    .regex(/^\d+$/, "must be a port number")
    .default("3000")
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65535, "must be between 1 and 65535"),
  SITE_URL: address.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  BUILD_DIR: z.string().min(1).default("dist"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
    .optional(),
  PUBLIC_SUPABASE_URL: z.union([z.literal(""), address]).optional(),
  PUBLIC_SUPABASE_ANON_KEY: z.string().default(defaultPublicKey),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .refine((url) => URL.parse(url)?.hostname, "must be an address such as smtps://user:p%40ssword@host:465")
    .optional(),
  MAIL_FROM: z.string().min(1).optional(),
  NOTIFY_TO: list.pipe(
    z.array(
      z.string().refine(isPlainEmail, { error: ({ input }) => `${JSON.stringify(input)} is not an email address` }),
    ),
  ),
  WEBHOOK_URL: address.optional(),
  WEBHOOK_SECRET: z.string().min(24, "must be at least 24 random characters").optional(),
  WEBHOOK_ALLOW_PRIVATE: onOrOff.default("off"),
  ACCOUNT_MAILS_PER_HOUR: z
    .string()
    .regex(/^\d{1,9}$/, "must be a number")
    .default("100")
    .transform(Number),
  AUTH_AUTOCONFIRM: onOrOff.default("off"),
  AUTH_SIGNUP: z.enum(["open", "invited", "closed"], "must be open, invited or closed").default("open"),
  AUTH_REDIRECT_URLS: list.refine(
    (globs) => globs.every((glob) => /^https?:\/\/[^\s/?#@]+([/?]\S*)?$/i.test(glob)),
    "must list http or https addresses, in which * and ** stand for something",
  ),
  AUTH_LIMITS: onOrOff.default("on"),
  TRUST_PROXY: list.refine(
    (entries) => entries.every((entry) => entry === "loopback" || isAddressOrNetwork(entry)),
    "must list addresses or networks (10.0.0.0/8), or be loopback",
  ),
  PASSWORD_MIN: z
    .string()
    .regex(/^\d+$/, "must be a number of characters")
    .default("8")
    .transform(Number)
    .refine((characters) => characters >= 6 && characters <= 72, "must be between 6 and 72"),
  AUDIT_DAYS: days.default(90),
  SESSION_IDLE_DAYS: days.default(30),
  SESSION_MAX_DAYS: days.default(365),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
});

const schema = single.refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => !WEBHOOK_URL || WEBHOOK_SECRET, {
  path: ["WEBHOOK_SECRET"],
  error: "is missing: whoever receives the calls to WEBHOOK_URL must be able to tell that they are ours",
});

/** Reads the settings from `environment`; throws a `SettingsError` that names all that is wrong at once. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const read = schema.safeParse(environment);
  if (!read.success)
    throw new SettingsError(read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));

  const found = read.data;
  return {
    host: found.HOST,
    port: found.PORT,
    siteUrl: (found.SITE_URL ?? `http://localhost:${found.PORT}`).replace(/\/+$/, ""),
    dataDir: resolve(found.DATA_DIR),
    buildDir: resolve(found.BUILD_DIR),
    databaseUrl: found.DATABASE_URL,
    publicUrl: found.PUBLIC_SUPABASE_URL,
    publicKey: found.PUBLIC_SUPABASE_ANON_KEY,
    smtpUrl: found.SMTP_URL,
    mailFrom: found.MAIL_FROM,
    notifyTo: found.NOTIFY_TO,
    webhook: webhookIn(found),
    accountMailsPerHour: found.ACCOUNT_MAILS_PER_HOUR,
    autoconfirm: found.AUTH_AUTOCONFIRM === "on",
    passwordCharactersMin: found.PASSWORD_MIN,
    signUps: found.AUTH_SIGNUP,
    redirectUrls: found.AUTH_REDIRECT_URLS,
    limits: found.AUTH_LIMITS === "on",
    trustProxy: found.TRUST_PROXY,
    auditDays: found.AUDIT_DAYS,
    sessionIdleDays: found.SESSION_IDLE_DAYS,
    sessionMaxDays: found.SESSION_MAX_DAYS,
    logLevel: found.LOG_LEVEL,
  };
}

/** What starts, and leaves visitors with a form that cannot send; one sentence each, for an operator. */
export function warningsAbout({ publicUrl, publicKey }: Settings): string[] {
  const warning = (name: string, words: string, otherwise: string) =>
    `${name} is empty, so contact form, login and inbox fail with “${words}” Set it, or remove it: ${otherwise}.`;
  return [
    ...(publicUrl === ""
      ? [warning("PUBLIC_SUPABASE_URL", "supabaseUrl is required.", "this server answers then")]
      : []),
    ...(publicKey === ""
      ? [warning("PUBLIC_SUPABASE_ANON_KEY", "supabaseKey is required.", "this server's own key is used then")]
      : []),
  ];
}

function webhookIn(found: z.output<typeof schema>): Settings["webhook"] {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret, WEBHOOK_ALLOW_PRIVATE } = found;
  return url && secret ? { url, secret, allowPrivate: WEBHOOK_ALLOW_PRIVATE === "on" } : undefined;
}
