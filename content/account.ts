/** Texts of the account page. */
export const accountWords = {
  title: "Your account",
  /** Stands before the address. */
  loggedInAs: "Logged in as",
  loading: "Loading…",
  tryAgain: "Try again",
  failed: "This could not be loaded.",
  password: {
    title: "Change your password",
    saved: "Your new password is saved, and all other devices have been logged out.",
  },
  email: {
    title: "Change your email address",
    lead: "We write to your current address and to the new one. The change takes effect once both have confirmed it.",
    label: "New email address",
    submit: "Request the change",
    busy: "Requesting…",
    sent: "Two emails are on their way. Please open the link in each of them.",
    waiting: (newEmail: string, email: string) =>
      `Waiting for both addresses to confirm ${newEmail}. Until then you log in with ${email}.`,
    same: "Your account has this address already.",
    failed: "The change could not be requested. Please try again.",
  },
  sessions: {
    title: "Where you are logged in",
    lead: "If you do not know one of these, end it and change your password.",
    here: "This device",
    from: (place: string) => `From ${place}`,
    lastUse: "last used",
    since: "logged in",
    end: "End",
    /** The accessible name of the button "End". */
    endWhich: (device: string) => `End the session of ${device}`,
    endOthers: "End all others",
    ending: "Ending…",
    logOutHere: "Log out on this device",
    ended: "That session is ended.",
    othersEnded: "All other sessions are ended.",
    notEnded: "The session could not be ended. Please try again.",
  },
  audit: {
    title: "What happened lately",
    lead: "The last fifty entries of the log, for all accounts, the newest first. What anyone can try without an account, such as a login that fails, is counted in one line for each account.",
    empty: "Nothing yet.",
    from: (event: string, place: string) => `${event} from ${place}`,
    fromMany: (event: string, places: number) => `${event} from ${places} places`,
    repeated: (event: string, times: number) => `${event} ${times} times`,
    nobody: "an address without an account",
    nobodies: "addresses without an account",
  },
} as const;

/** Names of places for IP addresses, as in "Logged in from an unknown place". */
export const placeWords = {
  unknown: "an unknown place",
  sameMachine: "the server's own machine",
  localNetwork: (address: string) => `the local network (${address})`,
} as const;

/** Texts of audit entries by action. An action without a text is shown by its name. */
export const auditWords: Readonly<Record<string, string>> = {
  login: "Logged in",
  login_failed: "Login failed",
  logout: "Logged out",
  user_signedup: "Address confirmed",
  user_confirmation_requested: "Signed up",
  user_repeated_signup: "Signed up once more",
  user_recovery_requested: "Asked for a new password",
  user_reauthenticate_requested: "Asked for a code to confirm a change",
  user_updated_password: "Password changed",
  user_modified: "Account changed",
  user_invited: "Invited",
  verification_attempted: "Code entered",
  token_revoked: "Session ended, because its token was used twice",
  role_granted: "Made an administrator",
  role_revoked: "No longer an administrator",
  user_deleted: "Account deleted by the operator",
  factor_in_progress: "Started setting up a second factor",
  challenge_created: "Was asked for the second factor",
  factor_verified: "Second factor used",
  factor_unenrolled: "Second factor removed",
  second_factor_reset: "Second factor removed by the operator",
  recovery_codes_generated: "Made new recovery codes",
  recovery_code_used: "Recovery code used",
  signing_key_rotated: "Signing key replaced",
};

/**
 * More exact texts, which replace those of `auditWords` for some entries. A key joins the action with the name and the
 * value of one of the entry's `traits`.
 */
export const auditDetails: Readonly<Record<string, string>> = {
  "logout scope global": "Logged out everywhere",
  "logout scope others": "All other devices logged out",
  "logout scope session": "One session ended",
  "login_failed reason current_password_invalid": "Wrong current password for a change of password",
  "login_failed reason email_not_confirmed": "Login failed, because the address is not confirmed,",
  "verification_attempted reason mfa_verification_failed": "Wrong code of the second factor",
  "verification_attempted reason wrong_recovery_code": "Wrong recovery code",
  "user_confirmation_requested contested true": "Signed up again with another password",
  "signing_key_rotated ended_sessions true": "Signing key replaced, and all sessions ended",
  "user_modified email requested": "Asked for another email address",
  "user_modified email changed": "Email address changed",
  "user_updated_password by operator": "Password changed by the operator",
  "user_updated_password removed_by operator": "Password removed by the operator",
};
