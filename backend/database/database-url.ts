import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { StartError } from "#process/start-error";

/** The parameters that pg's own parser would read in its own way: it verifies more or less than psql, and warns. */
const tlsParameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const;

type TlsParameters = Partial<Record<(typeof tlsParameters)[number], string>>;

/**
 * Reads an address of PostgreSQL. `sslmode` and the files mean the same as for psql
 * (docs/postgresql.md#an-encrypted-connection). `setting` is the name of the setting that holds the address.
 */
export function parseDatabaseUrl(url: string, setting = "DATABASE_URL"): ClientConfig {
  const [address, query = ""] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const tls: TlsParameters = {};
  for (const name of tlsParameters) {
    const value = parameters.get(name);
    if (value) tls[name] = value;
    parameters.delete(name);
  }
  const ssl = tlsOptions(tls, setting);
  return {
    connectionString: parameters.size > 0 ? `${address}?${parameters}` : address,
    ...(ssl !== undefined && { ssl }),
  };
}

function tlsOptions(tls: TlsParameters, setting: string): ConnectionOptions | false | undefined {
  if (Object.keys(tls).length === 0) return undefined;
  const { sslrootcert, sslmode = "verify-full" } = tls;
  const files = {
    // As for psql, `system` stands for the authorities that this machine knows.
    ...(sslrootcert && sslrootcert !== "system" && { ca: readFile("sslrootcert", sslrootcert, setting) }),
    ...(tls.sslcert && { cert: readFile("sslcert", tls.sslcert, setting) }),
    ...(tls.sslkey && { key: readFile("sslkey", tls.sslkey, setting) }),
  };
  switch (sslmode) {
    case "disable":
      return false;
    case "no-verify":
      return { ...files, rejectUnauthorized: false };
    case "prefer":
    case "require":
      return sslrootcert ? { ...files, ...anyName } : { ...files, rejectUnauthorized: false };
    case "verify-ca":
      if (!sslrootcert)
        throw new StartError(`${setting} with sslmode=verify-ca must name the file of the CA: sslrootcert=FILE.`);
      return { ...files, ...anyName };
    case "verify-full":
      return files;
    default:
      throw new StartError(`The sslmode in ${setting} must be disable, require, verify-ca or verify-full.`);
  }
}

/** Accepts a certificate of the CA for any host name. */
const anyName: ConnectionOptions = { checkServerIdentity: () => undefined };

function readFile(parameter: string, file: string, setting: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `${setting} cannot be used: ${file}, which ${parameter} names, cannot be read (${code}).`,
      error,
    );
  }
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
  const advice = certificateAdvice[code] ?? (unknownAuthorityCodes.test(code) ? unknownAuthority : undefined);
  return advice ? `${advice} (${message.split("\n")[0]})` : `${message || code || error}`;
}

const unknownAuthority =
  "its certificate is from an authority that this machine does not know. Name the CA's file: sslmode=verify-full&sslrootcert=FILE.";

const unknownAuthorityCodes = /^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(GET|VERIFY)_|CERT_SIGNATURE_)/;

/** By the error codes of Node's TLS (OpenSSL's verification errors). */
const certificateAdvice: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate, or that of its CA, has expired. Renew it, and look at the clock of this machine.",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Look at the clock of this machine.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "its certificate is for another host name. Write that name as the host, or sslmode=verify-ca with the file of a CA that signs for this PostgreSQL only.",
};
