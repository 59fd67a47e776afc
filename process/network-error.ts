const unreachable: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "its name does not exist in DNS",
  EAI_AGAIN: "its name could not be looked up just now",
  ETIMEDOUT: "it did not answer",
  EHOSTUNREACH: "there is no route to it from here",
  ENETUNREACH: "there is no route to it from here",
  EACCES: "this machine does not allow it",
  EPERM: "this machine does not allow it",
  EPROTO: "it does not offer TLS on this port, or no version that we support",
};

const unknownAuthority = "its certificate comes from an authority that this machine does not know";

const untrusted: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/**
 * Explains an error of `node:http`, or of `fetch`, whose cause has the code, with words that follow a host name in a
 * sentence. An error without a code has such words as its message.
 */
export function describeRequestError(error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === "TimeoutError" || name === "AbortError") return "did not answer in time";
  const { code = "", message } = cause ?? (error as NodeJS.ErrnoException);
  if (["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code)) return "closed the connection without an answer";
  if (code.startsWith("HPE_")) return "answered with something that is not HTTP";
  return describeNetworkError(code) ?? (cause || code ? `could not be reached: ${message}` : message);
}

/**
 * Explains an error code of the operating system or of TLS with words that follow a host name in a sentence. Returns
 * undefined for other codes.
 */
export function describeNetworkError(code = ""): string | undefined {
  const known = code.startsWith("ERR_SSL_") ? "EPROTO" : code;
  if (Object.hasOwn(unreachable, known)) return `could not be reached: ${unreachable[known]}`;
  return Object.hasOwn(untrusted, known) ? `could not be trusted: ${untrusted[known]}` : undefined;
}
