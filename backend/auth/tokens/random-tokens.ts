import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";

/** 256 random bits for a mailed link, in hexadecimal like the tokens in upstream's links. */
export function newLinkToken(): string {
  return randomBytes(32).toString("hex");
}

/** Six digits to type from a mail. */
export function newCode(): string {
  return `${randomInt(1_000_000)}`.padStart(6, "0");
}

const familyBytes = 16;
const refreshTokenBytes = 32;

/**
 * The first refresh token of a session: 128 random bits that all its tokens share (the family), and 128 of its own. The
 * family grants nothing, but tells a removed token of the session from an unknown one.
 */
export function newRefreshToken(): string {
  return randomBytes(refreshTokenBytes).toString("base64url");
}

/**
 * The refresh token that replaces `parent` (its child) is computed, so that a parent presented again (a lost answer, a
 * second tab) gets the same child, although only hashes are stored. The parent is the HMAC key, so the salt reveals
 * nothing.
 */
export function childRefreshToken(parent: string, salt: Uint8Array): string {
  const own = createHmac("sha256", parent).update("refresh token").update(salt).digest();
  const family = Buffer.from(parent, "base64url").subarray(0, familyBytes);
  return Buffer.concat([family, own], refreshTokenBytes).toString("base64url");
}

/** The stored hash of the half that a session's tokens share (the family); undefined for a text that is not a token. */
export function familyHashOf(refreshToken: string): Buffer | undefined {
  const bytes = Buffer.from(refreshToken, "base64url");
  if (bytes.length !== refreshTokenBytes || bytes.toString("base64url") !== refreshToken) return undefined;
  return createHash("sha256").update("family").update(bytes.subarray(0, familyBytes)).digest();
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** The stored form of a secret. Plain SHA-256 is enough for 256 random bits, which cannot be guessed. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
