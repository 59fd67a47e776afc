import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

/** As many as PostgreSQL itself takes (`scram_iterations`). */
const iterations = 4096;

/**
 * The form in which PostgreSQL stores a password (RFC 5803), so that a statement with it, and a log of statements, does
 * not show the password. The salt follows from login and password, so the same password gives the same text again, and
 * the copy of it that a pooler may have stays valid. It takes as long to compute as the rest: guessing gets no faster.
 */
export function scramVerifier(login: string, password: string): string {
  // RFC 5802 wants SASLprep, of which pg and PostgreSQL do the normalization.
  const normal = password.normalize("NFKC");
  const salt = pbkdf2Sync(normal, `salt of ${login}`, iterations, 16, "sha256");
  const salted = pbkdf2Sync(normal, salt, iterations, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const serverKey = hmac("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
