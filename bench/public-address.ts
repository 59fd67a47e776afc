/**
 * The address of visitor `number`, for `X-Forwarded-For`: ordinary public unicast from 11.0.0.0 on, each in a network
 * (/24) of its own, so that no limit per network takes a crowd for one sender.
 */
export function publicAddress(number: number): string {
  return `${11 + (number >>> 16)}.${(number >>> 8) & 255}.${number & 255}.${1 + (number % 254)}`;
}
