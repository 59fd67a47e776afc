import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** As many as PostgreSQL itself takes (`scram_iterations`). */
const iterations = 4096;

/**
 * The form in which PostgreSQL stores a password (RFC 5803), so that a statement with it, and a log of statements, does
 * not show the password.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  // RFC 5802 wants SASLprep, of which pg and PostgreSQL do the normalization.
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, iterations, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const storedKey = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const serverKey = hmac("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
