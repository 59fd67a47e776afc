import { accountWords, auditDetails, auditWords, placeWords } from "#content/account";
import type { AuditEntry } from "../../supabase/own-account";

/** "Sign-in failed from 203.0.113.7". */
export function sentenceOf({ ip_address: ip, payload: { action, traits = {} } }: AuditEntry): string {
  const detail = Object.entries(traits).find(([name, value]) => auditDetails[`${action} ${name} ${value}`]);
  const words = detail ? auditDetails[`${action} ${detail[0]} ${detail[1]}`] : auditWords[action];
  const sentence = words ?? action.replaceAll("_", " ");
  return ip ? accountWords.audit.from(sentence, placeOf(ip)) : sentence;
}

/** Whom an entry is about: the one who acted, or the account that was acted upon. */
export function personOf({ payload: { actor_username: actor, traits } }: AuditEntry): string {
  const subject = traits?.user_email;
  return (typeof subject === "string" && subject) || actor || accountWords.audit.nobody;
}

/** Where an address is, as far as it says so by itself; nobody is asked, since that would tell them who is here. */
export function placeOf(address: string): string {
  // An IPv4 address may come in the clothes of an IPv6 one.
  const plain = address.replace(/^::ffff:/i, "");
  if (plain === "") return placeWords.unknown;
  if (plain === "::1" || plain.startsWith("127.")) return placeWords.sameMachine;
  return isLocal(plain) ? placeWords.localNetwork(plain) : plain;
}

/** "3 minutes ago"; the exact moment after a month. */
export function timeSince(moment: string, now = Date.now()): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1000);
  const unit = units.find(({ length }) => Math.abs(seconds) >= length);
  if (!unit) return relative.format(0, "minute");
  return unit.length > month ? momentOf(moment) : relative.format(Math.trunc(seconds / unit.length), unit.name);
}

export function momentOf(moment: string): string {
  return localTime.format(new Date(moment));
}

/** RFC 1918, RFC 4193 and link-local addresses. */
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
