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
    saved: "Your new password is saved. All other devices have been logged out.",
  },
  email: {
    title: "Change your email address",
    lead: "We’ll email your current address and the new one. The change takes effect once you have confirmed it from both.",
    label: "New email address",
    submit: "Request the change",
    busy: "Requesting…",
    sent: "We’ve sent you two emails, one to each address. Please open the link in both.",
    waiting: (newEmail: string, email: string) =>
      `Please confirm the change to ${newEmail} in both emails. Until then, log in with ${email}.`,
    same: "Your account already has this address.",
    failed: "That didn’t work. Please try again.",
  },
  sessions: {
    title: "Where you are logged in",
    lead: "If you don’t recognise a device, log it out and change your password.",
    here: "This device",
    from: (place: string) => `From ${place}`,
    lastUse: "last used",
    since: "logged in",
    end: "Log out",
    /** The accessible name of the button "Log out". */
    endWhich: (device: string) => `Log out: ${device}`,
    endOthers: "Log out all other devices",
    ending: "Logging out…",
    logOutHere: "Log out on this device",
    ended: "That device has been logged out.",
    othersEnded: "All other devices have been logged out.",
    notEnded: "That didn’t work. Please try again.",
  },
  audit: {
    title: "Recent activity",
    lead: "The latest entries for all accounts, newest first. Repeated attempts, such as failed logins, share one line.",
    empty: "Nothing yet.",
    from: (event: string, place: string) => `${event}, from ${place}`,
    fromMany: (event: string, places: number) => `${event}, from ${places} places`,
    repeated: (event: string, times: number) => `${event} ${times} times`,
    nobody: "an address without an account",
    nobodies: "addresses without an account",
  },
} as const;

/** Names of places for IP addresses, as in "Logged in, from an unknown place". */
export const placeWords = {
  unknown: "an unknown place",
  sameMachine: "the computer that runs this site",
  localNetwork: (address: string) => `the local network (${address})`,
} as const;

/** Texts of audit entries by action. An action without a text is shown by its name. */
export const auditWords: Readonly<Record<string, string>> = {
  login: "Logged in",
  login_failed: "Login failed",
  logout: "Logged out",
  user_signedup: "Address confirmed",
  user_confirmation_requested: "Signed up",
  user_repeated_signup: "Signed up again",
  user_recovery_requested: "New password requested",
  user_updated_password: "Password changed",
  user_modified: "Account changed",
  user_invited: "Invited",
  verification_attempted: "Tried an emailed code",
  token_revoked: "Session ended after suspicious use",
  role_granted: "Became an administrator",
  role_revoked: "No longer an administrator",
  user_deleted: "Account deleted by the operator",
  factor_in_progress: "Started to set up two-step login",
  challenge_created: "App code check started",
  factor_verified: "App code entered",
  factor_unenrolled: "Two-step login device removed",
  second_factor_reset: "Two-step login switched off by the operator",
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
  "login_failed reason current_password_invalid": "Wrong current password",
  "login_failed reason email_not_confirmed": "Login failed (address not confirmed)",
  "verification_attempted reason mfa_verification_failed": "Wrong app code",
  "verification_attempted reason wrong_recovery_code": "Wrong recovery code",
  "user_confirmation_requested contested true": "Signed up again with another password",
  "signing_key_rotated ended_sessions true": "Signing key replaced and all sessions ended",
  "user_modified email requested": "Email address change requested",
  "user_modified email changed": "Email address change completed",
  "user_updated_password by operator": "Password changed by the operator",
  "user_updated_password removed_by operator": "Password removed by the operator",
};
