import type { Pool } from "pg";
import { type SecretKeySources, secretKeys } from "#backend/secret-keys";
import { demoAdmin, demoIdPrefix } from "#operations/demo/demo-contacts";
import { broken, countOf, type Finding, findingsOf, listOf, look, ok } from "./finding.ts";

/** Who may read the contacts, and with which second factor; what the demo has left. */
export async function checkPeople(owner: Pool, settings: SecretKeySources): Promise<Finding[]> {
  const checks = [checkAdmins(owner), checkSecondFactors(owner, settings), checkDemo(owner)];
  return (await Promise.all(checks)).flat();
}

async function checkAdmins(owner: Pool): Promise<Finding[]> {
  const { rows: admins } = await owner.query<{ email: string; is_shut_out: boolean }>(
    `select coalesce(u.email, u.id::text) as email,
       coalesce((select required from private.second_factor_rule), true) and not exists
         (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as is_shut_out
     from public.user_roles r join auth.users u on u.id = r.user_id where r.role = 'admin' order by 1`,
  );
  if (!admins[0])
    return [broken("No account may read the contacts.", "npm run admin -- create you@your-domain --admin")];
  const shutOut = admins.filter(({ is_shut_out }) => is_shut_out).map(({ email }) => email);
  return findingsOf(
    ok(admins.length === 1 ? "One admin may read the contacts." : `${admins.length} admins may read the contacts.`),
    shutOut.length > 0 &&
      look(
        `Admins without the second factor that ADMIN_MFA requires see no contact: ${listOf(shutOut)}.`,
        "They add one at /account.",
      ),
  );
}

/** Whether the keys of these settings decrypt the secrets of the authenticator apps. */
async function checkSecondFactors(owner: Pool, settings: SecretKeySources): Promise<Finding[]> {
  const { rows } = await owner.query<{ key: string; apps: number }>(
    `select split_part(secret, '.', 1) as key, count(*)::integer as apps from auth.mfa_factors
     where status = 'verified' and secret like '%.%' group by 1`,
  );
  const ids = rows.length > 0 ? await secretKeys(settings).ids() : [];
  return rows
    .filter(({ key }) => !ids.includes(key))
    .map(({ key, apps }) =>
      broken(
        `The codes of ${countOf(apps, "authenticator app")} are refused: the key ${key} of their secrets is missing.`,
        "Add it to SECRETS_KEY (“The secrets key” in docs/operating.md), or reset the apps: npm run admin -- reset-mfa ADDRESS",
      ),
    );
}

/** What `npm run demo` made and is still there. */
export async function checkDemo(owner: Pool): Promise<Finding[]> {
  const { rows } = await owner.query<{ contacts: number; login: string | null }>(
    `select count(*)::int as contacts, (select email from auth.users where email = $2) as login
     from public.contacts where starts_with(id::text, $1)`,
    [demoIdPrefix, demoAdmin],
  );
  return rows
    .filter(({ contacts, login }) => contacts > 0 || login !== null)
    .map(({ contacts, login }) =>
      look(
        `The demo is in this database: ${countOf(contacts, "invented contact")}${login ? `, and the login ${login}` : ""}.`,
        "Before the site goes live: npm run demo -- --remove",
      ),
    );
}
