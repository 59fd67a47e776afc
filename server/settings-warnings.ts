import { readEnvironment } from "#process/environment";
import { type SettingName, type Settings, settingNames } from "./settings.ts";

/** The settings that have an effect although a hosted project has the contacts. */
const alsoHosted: readonly string[] = [
  "ENV_FILE",
  "HOST",
  "PORT",
  "SITE_URL",
  "BUILD_DIR",
  "DATABASE_URL",
  "SUPERUSER_DATABASE_URL",
  "PUBLIC_SUPABASE_URL",
  "PUBLIC_SUPABASE_ANON_KEY",
  "TRUST_PROXY",
  "AUTH_LIMITS",
  "LOG_LEVEL",
] satisfies readonly ("ENV_FILE" | SettingName)[];

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
  const useless = settingNames.filter((name) => environment[name] && !alsoHosted.includes(name));
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
