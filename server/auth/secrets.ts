import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";

/** 256 random bits for a mailed link, in the hexadecimal form that upstream's links have. */
export function newLinkToken(): string {
  return randomBytes(32).toString("hex");
}

/** Six digits that somebody types from a mail. */
export function newCode(): string {
  return `${randomInt(1_000_000)}`.padStart(6, "0");
}

/** The first refresh token of a session. */
export function newRefreshToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The refresh token that follows `parent`. It is computed instead of drawn, so that whoever brings the parent again
 * (a lost answer, a second tab) can be given the same child, although only hashes are stored: the parent itself is the
 * key. Who reads the database has the salt without the key; who has no parent learns nothing.
 */
export function childRefreshToken(parent: string, salt: Uint8Array): string {
  return createHmac("sha256", parent).update("refresh token").update(salt).digest("base64url");
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** What the database keeps. Plain SHA-256 is enough for a secret of 256 random bits: there is nothing to guess. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
