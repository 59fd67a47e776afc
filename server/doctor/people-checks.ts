import type { Pool } from "pg";
import type { Settings } from "#server/settings";
import { broken, type Finding, listOf, look, ok } from "./finding.ts";

/** Who may read the contacts. */
export async function checkPeople(owner: Pool, { adminMfa }: Pick<Settings, "adminMfa">): Promise<Finding[]> {
  const { rows: admins } = await owner.query<{ email: string; has_factor: boolean }>(
    `select coalesce(u.email, u.id::text) as email,
       exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as has_factor
     from public.user_roles r join auth.users u on u.id = r.user_id where r.role = 'admin' order by 1`,
  );
  const { rows } = await owner.query<{ required: boolean }>("select required from private.second_factor_rule");
  const isRequired = rows[0]?.required ?? true;
  const without = admins.filter(({ has_factor }) => !has_factor).map(({ email }) => email);
  if (admins.length === 0)
    return [broken("No account may read the contacts.", "npm run admin -- create you@your-domain --admin")];
  return [
    ok(admins.length === 1 ? "One admin may read the contacts." : `${admins.length} admins may read the contacts.`),
    ...(isRequired !== (adminMfa === "required")
      ? [
          look(
            `ADMIN_MFA is ${adminMfa}, and the database has the other rule.`,
            "The server stores the rule when it starts: restart it, and give all servers of this database the same ADMIN_MFA.",
          ),
        ]
      : []),
    ...(isRequired && without.length > 0
      ? [
          look(
            `Admins without the second factor that ADMIN_MFA requires see no contact: ${listOf(without)}.`,
            "They add one at /account.",
          ),
        ]
      : []),
  ];
}
