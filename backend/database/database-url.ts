import type { ClientConfig } from "pg";
import { describeNetworkError } from "#process/network-error";
import { StartError } from "#process/start-error";

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"];

/**
 * Reads an address of PostgreSQL. `sslmode` and the files mean the same as for psql
 * (docs/postgresql.md#an-encrypted-connection). `setting` is the name of the setting that holds the address.
 */
export function parseDatabaseUrl(url: string, setting = "DATABASE_URL"): ClientConfig {
  const [address, query = ""] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  // As for psql, `system` stands for the authorities that this machine knows, and no weaker mode. pg would read such a file.
  if (parameters.get("sslrootcert") === "system") {
    parameters.delete("sslrootcert");
    parameters.set("sslmode", "verify-full");
  }
  const mode = parameters.get("sslmode");
  if (mode !== null && !sslModes.includes(mode))
    throw new StartError(`The sslmode in ${setting} must be disable, require, verify-ca or verify-full.`);
  if (mode === "verify-ca" && !parameters.has("sslrootcert"))
    throw new StartError(`${setting} with sslmode=verify-ca must name the file of the CA: sslrootcert=FILE.`);
  // Here it is no weaker than require.
  if (mode === "prefer") parameters.set("sslmode", "require");
  // Otherwise pg verifies more or less than psql, and warns.
  parameters.set("uselibpqcompat", "true");
  return { connectionString: `${address}?${parameters}` };
}

/** Why a connection failed and what to do, as the end of a sentence. */
export function describeConnectionError(error: unknown): string {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (message === "The server does not support SSL connections") {
    return "it offers no TLS. Turn it on there (ssl = on), or write sslmode=disable if nobody can listen in on the way.";
  }
  if (code === "28000" && message.includes("no encryption")) {
    return `it wants an encrypted connection (${message}). Add sslmode=verify-full&sslrootcert=FILE, with the file of its CA.`;
  }
  const reason = describeNetworkError(code);
  if (reason === undefined) return `${message || code || error}`;
  const advice = reason.includes("certificate")
    ? ". sslmode=verify-full&sslrootcert=FILE names the file of its CA"
    : "";
  return `it ${reason}${advice}${message && ` (${message.split("\n")[0]})`}`;
}
