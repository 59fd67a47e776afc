import type { CommandInput } from "./command.ts";
import { confirm } from "./prompts.ts";

/** A person says that PostgreSQL's clock is right, after it was wrong or no server ran for weeks. */
export async function trustClock(command: CommandInput): Promise<string> {
  const { settings, owner } = command;
  const { rows } = await owner.query<{ now: Date; old: number }>(
    `select now(), count(*)::int as old from public.contacts
     where submitted_at < now() - make_interval(months => nullif($1, 0))`,
    [settings.contactMonths],
  );
  const lines = [
    `The clock of the database says ${rows[0]?.now.toUTCString()}. Contacts older than CONTACT_MONTHS by it: ${rows[0]?.old}.`,
    "The daily removal goes on, and times from the future become the present; visits of future days are removed.",
  ];
  await confirm(command, lines);
  await owner.query("select private.trust_clock()");
  return lines.join("\n");
}
