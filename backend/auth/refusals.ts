import { Refusal } from "#backend/http/refusal";

const refusal = (status: number, code: string, message: string) => () => new Refusal(status, code, message);
const invalid = (message: string) => new Refusal(400, "validation_failed", message);
const tooMany = (code: string, message: string, seconds: number) =>
  new Refusal(429, code, message, { headers: { "retry-after": `${seconds}` } });
const rateLimited = (seconds: number) =>
  tooMany(
    "over_request_rate_limit",
    `Request rate limit reached. Please try again in ${durationInWords(seconds)}.`,
    seconds,
  );
const notOffered = (what: string) => new Refusal(422, "feature_disabled", `This server does not offer ${what}`);
const mailLimited = (message: string, seconds: number) => tooMany("over_email_send_rate_limit", message, seconds);

/** Rounded up, so that a caller who waits this long is not refused again. */
function durationInWords(seconds: number): string {
  const [amount, unit] =
    seconds <= 90
      ? [seconds, "second"]
      : seconds <= 90 * 60
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / (60 * 60)), "hour"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** The client reports the reason in its AuthWeakPasswordError (docs/protocol.md#auth-error-shape). */
const weakPassword = (reason: "length" | "pwned", message: string) =>
  new Refusal(422, "weak_password", message, { details: reason });

const passwordAdvice = "Please choose another: three or four unrelated words work well.";

/** Every refusal of the auth API, in upstream's words where it has them (docs/protocol.md#auth-api). */
export const refusals = {
  // docs/protocol.md#auth-request-bodies, docs/protocol.md#limits
  badJson: (why: string) => new Refusal(400, "bad_json", `Could not parse request body as JSON: ${why}`),
  noSuchEndpoint: refusal(404, "not_found", "There is nothing at this address"),
  notOffered,
  timedOut: (cause: unknown) =>
    new Refusal(504, "request_timeout", "Processing this request timed out, please retry after a moment.", { cause }),
  /** After 500 to 504 the client keeps its session and retries later. */
  databaseUnavailable: (cause: unknown) =>
    new Refusal(503, "unexpected_failure", "The server cannot reach its data just now. Please try again in a moment.", {
      cause,
      headers: { "retry-after": "1" },
    }),
  rateLimited,
  tooBusy: () => rateLimited(1),

  // docs/protocol.md#calls-of-the-client
  noPkce: () => notOffered('the PKCE flow. Create the client with flowType "implicit".'),
  noReauthentication: () => notOffered("reauthentication. To change a password, send the current one with it."),
  noLoginByMail: refusal(422, "email_provider_disabled", "Logins without a password are disabled"),
  noPhones: refusal(400, "phone_provider_disabled", "Phone logins are disabled"),
  noPasskeys: refusal(404, "passkey_disabled", "Passkeys are disabled"),
  noOAuthServer: refusal(404, "feature_disabled", "OAuth server is disabled"),
  noSaml: refusal(404, "saml_provider_disabled", "SAML 2.0 is disabled"),
  noManualLinking: refusal(404, "manual_linking_disabled", "Manual linking is disabled"),
  noProvider: refusal(400, "provider_disabled", "Logins with other providers are disabled"),

  // docs/protocol.md#sign-up, docs/protocol.md#password-rules, docs/protocol.md#mail-limits
  noSignUpAddress: refusal(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
  signUpDisabled: refusal(422, "signup_disabled", "Signups not allowed for this instance"),
  noPassword: refusal(400, "validation_failed", "Signup requires a valid password"),
  longPassword: refusal(400, "validation_failed", "Password cannot be longer than 72 characters"),
  shortPassword: (charactersMin: number) =>
    weakPassword("length", `Password should be at least ${charactersMin} characters.`),
  commonPassword: () => weakPassword("pwned", `This is one of the most commonly leaked passwords. ${passwordAdvice}`),
  addressAsPassword: () => weakPassword("pwned", `This password is part of your email address. ${passwordAdvice}`),
  badAddress: refusal(400, "validation_failed", "Unable to validate email address: invalid format"),
  longAddress: refusal(400, "validation_failed", "An email address is too long"),
  longMetadata: (bytesMax: number) => invalid(`The data of a user cannot be longer than ${bytesMax} bytes`),
  alreadyRegistered: refusal(422, "user_already_exists", "User already registered"),
  mailCooldown: (seconds: number) =>
    mailLimited(`For security purposes, you can only request this after ${seconds} seconds.`, seconds),
  tooManyMails: (seconds: number) => mailLimited("email rate limit exceeded", seconds),

  // docs/protocol.md#auth-api. A wrong password and an unknown address have one text, so it reveals no account.
  noCredentials: refusal(400, "validation_failed", "missing email or phone"),
  wrongCredentials: refusal(400, "invalid_credentials", "Invalid login credentials"),
  notConfirmed: refusal(400, "email_not_confirmed", "Email not confirmed"),
  banned: (status = 400) => new Refusal(status, "user_banned", "User is banned"),
  unknownGrant: refusal(400, "invalid_credentials", "unsupported_grant_type"),

  // docs/protocol.md#refresh-rotation
  malformedRefreshToken: refusal(400, "validation_failed", "Refresh token is not valid"),
  unknownRefreshToken: refusal(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"),
  reusedRefreshToken: refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"),
  expiredSession: refusal(400, "session_expired", "Invalid Refresh Token: Session Expired"),

  // docs/protocol.md#auth-api, docs/protocol.md#password-change
  noBearer: refusal(401, "no_authorization", "This endpoint requires a valid Bearer token"),
  badToken: (why: string, cause: unknown) =>
    new Refusal(403, "bad_jwt", `invalid JWT: unable to parse or verify signature, ${why}`, { cause }),
  keyAsToken: refusal(403, "bad_jwt", "invalid claim: missing sub claim"),
  noSuchUser: refusal(403, "user_not_found", "User from sub claim in JWT does not exist"),
  noSuchSession: refusal(403, "session_not_found", "Session from session_id claim in JWT does not exist"),
  notAdmin: refusal(403, "not_admin", "User not allowed"),
  samePassword: refusal(422, "same_password", "New password should be different from the old password."),
  noCurrentPassword: refusal(400, "current_password_required", "Current password required when setting new password."),
  wrongCurrentPassword: refusal(400, "current_password_invalid", "That is not your current password."),
  unknownScope: (scope: string) => invalid(`Unsupported logout scope "${scope}"`),

  // docs/protocol.md#links-at-the-api, docs/protocol.md#verification-by-a-page
  noLinkType: refusal(400, "validation_failed", "Verify requires a verification type"),
  noLinkToken: refusal(400, "validation_failed", "Verify requires either a token or a token hash"),
  extraFieldsWithTokenHash: refusal(400, "validation_failed", "Only the token_hash and type should be provided"),
  invalidLink: refusal(403, "otp_expired", "Email link is invalid or has expired"),
  invalidCode: refusal(403, "otp_expired", "Token has expired or is invalid"),

  // docs/protocol.md#second-factor
  unknownFactorType: refusal(400, "validation_failed", "factor_type needs to be totp"),
  longFactorName: (charactersMax: number) => invalid(`friendly_name cannot be longer than ${charactersMax} characters`),
  factorNameTaken: (name: string) =>
    new Refusal(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
    ),
  tooManyFactors: refusal(
    422,
    "too_many_enrolled_mfa_factors",
    "Maximum number of verified factors reached, unenroll to continue",
  ),
  badFactorId: refusal(404, "validation_failed", "factor_id must be an UUID"),
  noSuchFactor: refusal(404, "mfa_factor_not_found", "Factor not found"),
  noFactorCode: refusal(400, "validation_failed", "Code needs to be non-empty"),
  undecryptableFactor: (cause: unknown) =>
    new Refusal(
      422,
      "mfa_totp_verify_not_enabled",
      "Codes of this app can’t be checked at the moment. Please use a recovery code, or ask the people who run this site.",
      { cause },
    ),
  wrongFactorCode: refusal(422, "mfa_verification_failed", "Invalid TOTP code entered"),
  wrongRecoveryCode: refusal(422, "mfa_verification_failed", "Invalid recovery code entered"),
  recoveryCodesExist: refusal(422, "mfa_verified_factor_exists", "There are recovery codes already: regenerate them"),
  recoveryCodesLocked: (seconds: number) =>
    tooMany(
      "mfa_recovery_codes_locked",
      `Too many recovery codes were tried. Please try again in ${durationInWords(seconds)}.`,
      seconds,
    ),
  /** The statuses are upstream's, and differ. */
  needsSecondFactor: {
    toEnroll: refusal(403, "insufficient_aal", "AAL2 required to enroll a new factor"),
    toUnenroll: refusal(422, "insufficient_aal", "AAL2 required to unenroll verified factor"),
    forRecoveryCodes: refusal(403, "insufficient_aal", "AAL2 required to change recovery codes"),
    toChangeUser: refusal(
      401,
      "insufficient_aal",
      "AAL2 session is required to update email or password when MFA is enabled.",
    ),
  },

  // docs/protocol.md#recovery-and-resend
  noRecoveryAddress: refusal(400, "validation_failed", "Password recovery requires an email"),
  unknownMailType: refusal(400, "validation_failed", "Missing one of these types: signup, email_change"),
  noResendAddress: refusal(400, "validation_failed", "Type provided requires an email address"),
} as const;
