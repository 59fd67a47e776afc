import { readEnvironment } from "./environment.ts";
import type { SettingName, Settings } from "./settings.ts";

/** These settings have no effect if a hosted project has the contacts. */
const ownServerOnly = [
  "DATA_DIR",
  "SECRETS_KEY",
  "SMTP_URL",
  "SMTP_ALLOW_PLAIN",
  "MAIL_FROM",
  "NOTIFY_TO",
  "WEBHOOK_URL",
  "WEBHOOK_SECRET",
  "WEBHOOK_ALLOW_PRIVATE",
  "CONTACT_MAILS_PER_HOUR",
  "ACCOUNT_MAILS_PER_HOUR",
  "AUTH_AUTOCONFIRM",
  "AUTH_SIGNUP",
  "ADMIN_MFA",
  "AUTH_REDIRECT_URLS",
  "PASSWORD_MIN",
  "CONTACT_MONTHS",
  "SPAM_DAYS",
  "AUDIT_DAYS",
  "SESSION_IDLE_DAYS",
  "SESSION_MAX_DAYS",
  "BACKUP_DIR",
  "BACKUP_KEEP",
  "BACKUP_AT",
] as const satisfies readonly SettingName[];

/**
 * One sentence for each setting that lets the server start but makes contact form, login and inbox fail, and one for
 * all settings that have no effect.
 */
export function settingsWarnings(
  { publicUrl, publicKey, hostedUrl, superuserDatabaseUrl }: Settings,
  environment: NodeJS.ProcessEnv = readEnvironment(),
): string[] {
  const warning = (name: string, message: string, otherwise: string) =>
    `${name} is empty, so contact form, login and inbox fail with “${message}” Set it. If you remove it, ${otherwise}.`;
  const useless = ownServerOnly.filter((name) => environment[name]);
  return [
    ...(publicUrl === ""
      ? [warning("PUBLIC_SUPABASE_URL", "supabaseUrl is required.", "this server answers instead")]
      : []),
    ...(publicKey === ""
      ? [warning("PUBLIC_SUPABASE_ANON_KEY", "supabaseKey is required.", "this server's own key is used instead")]
      : []),
    ...(hostedUrl !== undefined && useless.length > 0
      ? [
          `The project of PUBLIC_SUPABASE_URL has the contacts and accounts, so these have no effect: ${useless.join(", ")}.`,
        ]
      : []),
    ...(superuserDatabaseUrl === undefined
      ? []
      : [
          "SUPERUSER_DATABASE_URL is for database-setup only: remove the superuser's password from the server's settings.",
        ]),
  ];
}
