import { networkOf, wideNetworkOf } from "./ip-address.ts";

const minute = 60;
const hour = 60 * minute;

/** Three of the fields of a bucket come from the internet address of a request. */
const networks = {
  network: (ip: string) => networkOf(ip),
  // A provider gives one IPv6 customer up to a /48, which has 2^16 networks of size /64.
  "end site": (ip: string) => networkOf(ip, 48),
  "wide network": wideNetworkOf,
};
type Network = keyof typeof networks;
type Part = Network | "endpoint" | "session" | "email" | "user" | "purpose" | "code" | "mail" | "site mail";

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

function limit<const P extends Part>(
  per: P[],
  atOnce: number,
  seconds: number,
  beyond: Beyond = "rateLimited",
  holds: Limit["holds"] = "if on",
) {
  return { per, atOnce, seconds, beyond, holds };
}

/** Half of the mails at once and the other half over an hour: never more than `accountMailsPerHour` in any hour. */
export function limitOfSiteMails(accountMailsPerHour: number) {
  return limit(["site mail"], Math.ceil(accountMailsPerHour / 2), (2 * hour) / accountMailsPerHour, "tooManyMails");
}

/**
 * Every token bucket of the server. docs/protocol.md#limits has the same table.
 * One customer of a provider may have all 2^16 networks of a wide one, and many people may share it: so it has a limit of
 * its own, with more room.
 */
export const limits = {
  "account requests": limit(["endpoint", "network"], 30, 10),
  "account requests of a wide network": limit(["endpoint", "wide network"], 120, 2.5),
  "second factor requests": limit(["endpoint", "network"], 30, 4),
  "second factor requests of a wide network": limit(["endpoint", "wide network"], 120, 1),
  "token requests": limit(["endpoint", "network"], 30, 2),
  "token requests of a wide network": limit(["endpoint", "wide network"], 120, 0.5),
  "requests of a session": limit(["session"], 30, 10),

  passwords: limit(["email", "network"], 10, 20),

  codes: limit(["email", "purpose", "wide network"], 15, hour),
  "codes from all networks": limit(["email", "purpose"], 100, 15 * minute),
  // A code lives an hour, so this bucket is never filled up for the same code.
  "tries of one code": limit(["email", "purpose", "code", "wide network"], 5, hour, "wrongCode", "always"),

  "second factors": limit(["user", "wide network"], 10, hour),
  "second factors from all networks": limit(["user"], 20, 4 * hour),
  "recovery codes": limit(["user", "wide network"], 10, 10 * minute, "recoveryCodesLocked"),

  "mail requests": limit(["mail", "wide network"], 10, 6 * minute, "tooManyMails"),
  "repeated mail requests": limit(["mail", "email", "wide network"], 1, minute, "mailCooldown", "always"),
  "mails to an address": limit(["mail", "email"], 5, 15 * minute, "tooManyMails"),
  "mails of the site": limitOfSiteMails(100),

  contacts: limit(["network"], 100, 1, "tooManyRequests"),
  "contacts of an end site": limit(["end site"], 400, 0.25, "tooManyRequests"),
  "contacts of unknown senders": limit([], 400, 0.25, "tooManyRequests"),
} satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
type FieldOf<P extends Part> = P extends Network ? "ip" : P;
type Field = FieldOf<Part>;

/** What has to be known of a request so that these limits can count it. */
export type Subject<N extends LimitName> = Record<FieldOf<(typeof limits)[N]["per"][number]>, string>;

/** The bucket of a subject, for example "passwords: ada@example.com, 192.0.2.1". */
export function bucketOf(name: LimitName, subject: Partial<Record<Field, string>>): string {
  const values = limits[name].per.map((part) => {
    const value = subject[fieldOf(part)] ?? "";
    return isNetwork(part) ? networks[part](value) : value;
  });
  return `${name}: ${values.join(", ")}`;
}

function fieldOf(part: Part): Field {
  return isNetwork(part) ? "ip" : part;
}

function isNetwork(part: Part): part is Network {
  return part in networks;
}

/** A bucket is full again after this time at most. */
export const limitSecondsMax = Math.max(...Object.values(limits).map(({ atOnce, seconds }) => atOnce * seconds));

/** All values that a person, or a request about the person, may have. */
type PersonalValues = Record<Exclude<Field, "endpoint" | "session" | "site mail">, readonly string[]>;

/**
 * The buckets of a person in all limits that count addresses or accounts. Each maps to a description without secrets:
 * the hash of a code is as good as the code.
 */
export function bucketsOfPerson(values: PersonalValues): Map<string, string> {
  const counted = Object.entries(limits).filter(([, { per }]) =>
    (per as readonly Part[]).some((part) => part === "email" || part === "user"),
  );
  return new Map(
    counted.flatMap(([name, { per }]) => {
      const fields = new Set(per.map(fieldOf)) as Set<keyof PersonalValues>;
      let subjects: Partial<Record<Field, string>>[] = [{}];
      for (const field of fields)
        subjects = subjects.flatMap((subject) => values[field].map((value) => ({ ...subject, [field]: value })));
      return subjects.map((subject): [string, string] => [
        bucketOf(name as LimitName, subject),
        bucketOf(name as LimitName, { ...subject, code: "(hidden)" }),
      ]);
    }),
  );
}
