import { setTimeout as pause } from "node:timers/promises";
import { accountMailsPerHour, races, runRaces } from "../attack/races.ts";
import { jsonRequest } from "../load/requests.ts";
import { deliveredMails, readEvents } from "../smtp/smtp-log.ts";
import type { Targets } from "./targets.ts";

/** With these settings the races know how much each limit lets through. */
const contactMailsPerHour = 30;
export const limitSettings = {
  ACCOUNT_MAILS_PER_HOUR: `${accountMailsPerHour}`,
  CONTACT_MAILS_PER_HOUR: `${contactMailsPerHour}`,
};

/** One IPv4 address may send so many contacts at once, and one more each second (docs/protocol.md#limits-against-floods). */
const contactsAtOnce = 100;
/** Fewer than the 300 an hour that PostgreSQL counts. They come in waves, so that none waits for a connection too long. */
const waves = 7;
const contactsInWave = 40;

/**
 * Tries each limit at both servers at once. The limits in PostgreSQL must let through what one server does. Those
 * against floods are in the memory of each server, so two let through twice as much.
 */
export async function runLimits({ database, signIn, ports, query, smtpLog }: Targets, signal: AbortSignal) {
  const { problems } = await runRaces({ database, signIn, ports });
  const results = Object.keys(races).map((name) => {
    const problem = problems.find((each) => each.startsWith(`Race for ${name}: `));
    return { limit: name, "both servers together": problem ?? "as one server" };
  });
  const add = (limit: string, text: string) => void results.push({ limit, "both servers together": text });

  const ofOne = await flood("198.18.20.1", ports.slice(0, 1));
  const ofBoth = await flood("198.18.21.1", ports);
  add("contacts of one address at once, in memory", `${ofBoth.accepted} (one server: ${ofOne.accepted})`);
  for (const { accepted, seconds, servers } of [ofOne, ofBoth]) {
    const least = servers * contactsAtOnce;
    const most = servers * (contactsAtOnce + Math.ceil(seconds));
    if (accepted < least || accepted > most)
      problems.push(
        `${servers} servers accepted ${accepted} contacts of one address at once, not ${least} to ${most}.`,
      );
  }

  const [{ count: announced } = { count: 0 }] = await query<{ count: number }>(
    "select count(*)::int from contacts where email like 'flood-198.18.21.1-%' and spam_reason is null",
  );
  add("of these not filed as spam", `${announced}`);
  if (announced !== 30) problems.push(`${announced} contacts of one address are not filed as spam, instead of 30.`);

  await untilAnnounced();
  const mails = deliveredMails(await readEvents(smtpLog)).filter(({ contactId }) => contactId !== "");
  add(`mails about contacts in the first hour, of ${contactMailsPerHour}`, `${mails.length}`);
  if (mails.length !== contactMailsPerHour)
    problems.push(`${mails.length} mails about contacts were sent within an hour, not ${contactMailsPerHour}.`);
  return { results, problems };

  /** The contacts beyond the mails of an hour wait for a digest, which is not awaited. */
  async function untilAnnounced() {
    for (;;) {
      const [waiting] = await query<{ count: number }>(
        "select count(*)::int from private.jobs where task in ('announce-contact', 'mail-contact', 'notify-owner')",
      );
      if (waiting?.count === 0) return;
      await pause(200, undefined, { signal });
    }
  }

  /** Different contacts of one address, to the servers in turn. */
  async function flood(from: string, at: readonly number[]) {
    const began = performance.now();
    let accepted = 0;
    for (let wave = 0; wave < waves; wave++) {
      const statuses = await Promise.all(
        Array.from({ length: contactsInWave }, async (_, number) => {
          const email = `flood-${from}-${wave}-${number}@two-servers.example`;
          const body = { name: "Ada", company: "Engines", email, interest: "consulting" };
          const request = jsonRequest(body, { "x-forwarded-for": from });
          const answer = await fetch(`http://127.0.0.1:${at[number % at.length]}/rest/v1/contacts`, request);
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
      accepted += statuses.filter((status) => status === 201).length;
    }
    return { accepted, seconds: (performance.now() - began) / 1000, servers: at.length };
  }
}
