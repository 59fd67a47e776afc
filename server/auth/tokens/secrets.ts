import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";

/** 256 random bits for a mailed link, in the hexadecimal form that upstream's links have. */
export function newLinkToken(): string {
  return randomBytes(32).toString("hex");
}

/** Six digits that somebody types from a mail. */
export function newCode(): string {
  return `${randomInt(1_000_000)}`.padStart(6, "0");
}

const familyBytes = 16;
const refreshTokenBytes = 32;

/**
 * The first refresh token of a session: 128 random bits that all of its tokens share, and 128 that are its own. The first
 * half alone opens nothing; it tells a token that was spent long ago from one that never was.
 */
export function newRefreshToken(): string {
  return randomBytes(refreshTokenBytes).toString("base64url");
}

/**
 * The refresh token that follows `parent`. It is computed instead of drawn, so that whoever brings the parent again
 * (a lost answer, a second tab) can be given the same child, although only hashes are stored: the parent itself is the
 * key. Who reads the database has the salt without the key; who has no parent learns nothing.
 */
export function childRefreshToken(parent: string, salt: Uint8Array): string {
  const own = createHmac("sha256", parent).update("refresh token").update(salt).digest();
  const family = Buffer.from(parent, "base64url").subarray(0, familyBytes);
  return Buffer.concat([family, own], refreshTokenBytes).toString("base64url");
}

/** What the database keeps of the half that the tokens of a session share; undefined for what is no token of ours. */
export function familyHashOf(refreshToken: string): Buffer | undefined {
  const bytes = Buffer.from(refreshToken, "base64url");
  if (bytes.length !== refreshTokenBytes || bytes.toString("base64url") !== refreshToken) return undefined;
  return createHash("sha256").update("family").update(bytes.subarray(0, familyBytes)).digest();
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** What the database keeps. Plain SHA-256 is enough for a secret of 256 random bits: there is nothing to guess. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
