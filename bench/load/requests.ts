import { defaultPublicKey } from "#server/settings";

/** Returns a JSON request for one of the APIs. `body` is a contact or any other value. */
export function jsonRequest(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { apikey: defaultPublicKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * The address of visitor `number`, for `X-Forwarded-For`: a public unicast address from 11.0.0.0 on. Each is in a
 * network (/24) of its own, so that the limits per network do not see many visitors as one sender.
 */
export function publicAddress(number: number): string {
  return `${11 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}.${1 + (number % 254)}`;
}
