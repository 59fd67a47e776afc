/** Why no conversation came about, by the code that the system or TLS gives. Ends a sentence. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "nobody knows that name",
  EAI_AGAIN: "its name could not be looked up just now",
  ETIMEDOUT: "it did not answer",
  EHOSTUNREACH: "there is no way to it from here",
  ENETUNREACH: "there is no way to it from here",
  EACCES: "this machine does not allow it",
  EPERM: "this machine does not allow it",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it signed its certificate itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that this machine does not trust",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that this machine does not trust",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that this machine does not trust",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  EPROTO: "it does not speak TLS on this port, or none of our kind",
};

/** The reason in words, or undefined if the other side could be reached and trusted. */
export function connectionReason(code: unknown): string | undefined {
  return typeof code === "string" && Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}
