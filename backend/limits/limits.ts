import { networkOf } from "#backend/http/ip-address";

const minute = 60;
const hour = 60 * minute;

type Part = "network" | "endpoint" | "session" | "email" | "user" | "purpose" | "code" | "mail" | "site mail";

/** What the client hears: a refusal of the API, or that the code is wrong. */
type Beyond = "rateLimited" | "tooManyMails" | "mailCooldown" | "recoveryCodesLocked" | "tooManyRequests" | "wrongCode";

/** A token bucket for each combination of the parts in `per`: `atOnce` at once, then one more every `seconds`. */
export interface Limit {
  per: readonly Part[];
  atOnce: number;
  seconds: number;
  beyond: Beyond;
  /** "always": with AUTH_LIMITS=off, too. */
  holds: "always" | "if on";
}

function limit<const P extends Part, const B extends Beyond>(
  per: P[],
  atOnce: number,
  seconds: number,
  beyond: B,
  holds: Limit["holds"] = "if on",
) {
  return { per, atOnce, seconds, beyond, holds };
}

/** Half of the mails at once and the other half over an hour: never more than `accountMailsPerHour` in any hour. */
export function limitOfSiteMails(accountMailsPerHour: number) {
  return limit(["site mail"], Math.ceil(accountMailsPerHour / 2), (2 * hour) / accountMailsPerHour, "tooManyMails");
}

/** Every rate limit of the server. docs/protocol.md#limits has the same table, and says which are kept where. */
export const limits = {
  requests: limit(["endpoint", "network"], 60, 2, "rateLimited"),
  "requests of a session": limit(["session"], 30, 10, "rateLimited"),
  "inserted rows": limit(["network"], 100, 1, "tooManyRequests"),

  passwords: limit(["email", "network"], 10, 5 * minute, "rateLimited"),
  // A code lives an hour, so this bucket is never filled up for the same code.
  "tries of one code": limit(["email", "purpose", "code", "network"], 5, hour, "wrongCode", "always"),
  // All networks together, so that a botnet has no more. The link of the mail still works.
  "tries of one code from all networks": limit(["email", "purpose", "code"], 25, hour, "wrongCode", "always"),
  codes: limit(["email", "purpose"], 100, 15 * minute, "wrongCode"),
  "second factors": limit(["user", "network"], 10, hour, "rateLimited"),
  "second factors from all networks": limit(["user"], 20, 4 * hour, "rateLimited"),
  "recovery codes": limit(["user", "network"], 10, 10 * minute, "recoveryCodesLocked"),

  "mail requests": limit(["mail", "network"], 10, 6 * minute, "tooManyMails"),
  "repeated mail requests": limit(["mail", "email", "network"], 1, minute, "mailCooldown", "always"),
  "mails to an address": limit(["mail", "email"], 5, 15 * minute, "tooManyMails"),
  "mails of the site": limitOfSiteMails(100),
} satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
type FieldOf<P extends Part> = P extends "network" ? "ip" : P;
type Field = FieldOf<Part>;

/** What has to be known of a request so that this limit can count it. */
export type Subject<N extends LimitName> = Record<FieldOf<(typeof limits)[N]["per"][number]>, string>;

/** The bucket of a subject, for example "passwords: ada@example.com, 192.0.2.0/24". */
export function bucketOf(name: LimitName, subject: Partial<Record<Field, string>>): string {
  const values = limits[name].per.map((part) =>
    part === "network" ? networkOf(subject.ip ?? "") : (subject[part] ?? ""),
  );
  return `${name}: ${values.join(", ")}`;
}

/** A bucket is full again after this time at most. */
export const limitSecondsMax = Math.max(...Object.values(limits).map(({ atOnce, seconds }) => atOnce * seconds));
