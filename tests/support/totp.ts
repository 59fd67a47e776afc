import { Secret, TOTP } from "otpauth";

/**
 * The code that an authenticator app shows for this secret. With `stepOffset` -1 or 1, the one before or after it, which
 * the server accepts as well. So a test has three codes without waiting. It uses them in this order, because no code is
 * accepted after a newer one. A test that cannot set the server's clock takes 0, then 1: if a 30-second step ends
 * meanwhile, -1 is refused.
 */
export function totpCode(secret: string, stepOffset = 0, now = new Date()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + stepOffset * 30_000 });
}
