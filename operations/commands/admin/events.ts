import { normalizeEmail } from "#backend/auth/normalize-email";
import type { CommandInput } from "./command.ts";

/** A terminal keeps about as many lines. `export` writes all of them. */
const linesMax = 1000;

interface Event {
  time: string;
  action: string;
  address: string;
  traits: Record<string, unknown> | null;
  times: string | null;
}

/** Prints the latest events of an account, the newest last: time, event, internet address and what the event says. */
export async function events({ email, owner }: CommandInput): Promise<string> {
  const address = normalizeEmail(email);
  const { rows } = await owner.query<Event>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as time, payload ->> 'action' as action,
       ip_address as address, payload -> 'traits' as traits, payload #>> '{repeats,times}' as times
     from auth.audit_log_entries
     where payload ->> 'actor_username' = $1 or payload -> 'traits' ->> 'user_email' = $1
       or payload ->> 'actor_id' = (select id::text from auth.users where email = $1)
     order by created_at desc, action desc limit ${linesMax}`,
    [address],
  );
  if (rows.length === 0) return `The log has no events of ${address}.`;
  return ["Times are UTC.", ...rows.reverse().map(lineOf)].join("\n");
}

function lineOf({ time, action, address, traits, times }: Event): string {
  const details = Object.entries(traits ?? {}).map(([name, value]) => `${name}=${value}`);
  return [time, action, ...(times ? [`${times} times`] : []), address || "-", ...details].join("  ");
}
