import { accountWords, auditDetails, auditWords, placeWords } from "#content/account";
import type { AuditEntry } from "../../supabase/own-account";

/** Returns a sentence such as "Login failed, from 203.0.113.7" or "Login failed 12 times, from 3 places". */
export function describeEntry({ ip_address: ip, payload: { action, traits = {}, repeats } }: AuditEntry): string {
  const detail = Object.entries(traits).find(([name, value]) => auditDetails[`${action} ${name} ${value}`]);
  const text = detail ? auditDetails[`${action} ${detail[0]} ${detail[1]}`] : auditWords[action];
  const event = text ?? action.replaceAll("_", " ");
  const sentence = repeats ? accountWords.audit.repeated(event, repeats.times) : event;
  if (ip) return accountWords.audit.from(sentence, locationOf(ip));
  return repeats?.addresses ? accountWords.audit.fromMany(sentence, repeats.addresses) : sentence;
}

/** Returns the time of an entry, or the time from the first to the last of the attempts that it stands for. */
export function timeOf({ created_at: time, payload: { repeats } }: AuditEntry): string {
  return repeats ? localTime.formatRange(new Date(repeats.since), new Date(time)) : formatTime(time);
}

/** Returns the account that an entry is about: the account that was changed, else the account that acted. */
export function personOf({ payload: { actor_username: actor, traits, repeats } }: AuditEntry): string {
  const subject = traits?.user_email;
  const { nobody, nobodies } = accountWords.audit;
  return (typeof subject === "string" && subject) || actor || (repeats ? nobodies : nobody);
}

/**
 * Describes only what the IP address itself tells. A lookup service is not asked: it would learn the users' addresses.
 */
export function locationOf(address: string): string {
  // An IPv4-mapped IPv6 address is shown as the IPv4 address in it.
  const plain = address.replace(/^::ffff:/i, "");
  if (plain === "") return placeWords.unknown;
  if (plain === "::1" || plain.startsWith("127.")) return placeWords.sameMachine;
  return isLocal(plain) ? placeWords.localNetwork(plain) : plain;
}

/** Returns a text such as "3 minutes ago". For a time more than a month ago it returns date and time. */
export function timeSince(time: string, now = Date.now()): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000);
  const unit = units.find(({ length }) => Math.abs(seconds) >= length);
  if (!unit) return relative.format(0, "minute");
  return unit.length > month ? formatTime(time) : relative.format(Math.trunc(seconds / unit.length), unit.name);
}

export function formatTime(time: string): string {
  return localTime.format(new Date(time));
}

/** Checks for addresses of local networks: private (RFC 1918, RFC 4193) and link-local. */
function isLocal(address: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][\da-f]{2}:|fe80:)/i.test(address);
}

const day = 24 * 60 * 60;
const month = 30 * day;
const units = [
  { length: month + 1, name: "month" },
  { length: day, name: "day" },
  { length: 60 * 60, name: "hour" },
  { length: 60, name: "minute" },
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
