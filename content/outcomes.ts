/** Texts of the outcome of a mailed link, a confirmation, a new password or a recovery code, at `/auth`. */
export const outcomeWords = {
  title: "News about your account",
  confirmed: "Your email address is confirmed. You are logged in.",
  newPassword: "Your new password is saved. You are logged in here, and logged out everywhere else.",
  emailChanged: "Your account now uses your new email address. You are logged in.",
  /** Shown when the server did not accept the session that a link brought. */
  notTaken: "This link couldn’t log you in. If your address is already confirmed, log in with your password.",
  /** Shown when the server did not answer. */
  unanswered: "The server did not answer. Your link is not used up: please try again.",
  reload: "Reload",
  /** Shown before a link logs in: a stranger may have written it. `present` is empty if nobody is logged in. */
  otherAccount: ({ present, linked }: { present: string; linked: string }) =>
    present
      ? `You are logged in as ${present}. This link would log you in as ${linked} instead.`
      : `This link logs you in as ${linked}. Go on only if this is your account.`,
  logIn: "Log in",
  change: "Switch account",
  decline: "Cancel",
  /** A link's own description is not shown: anyone can write a link with any text. */
  refused: "This link didn’t work.",
  /** Shown to administrators: the page that sent them to the login, else the inbox. */
  back: "Back to where you were",
  inbox: { label: "Open the contacts", href: "/admin/contacts" },
  home: { label: "Home", href: "/" },
  /** In place of "Home", if the link of the mail leads to another page. */
  goOn: "Continue",
  /** Shown after a login with a recovery code. */
  recoveryCodes: {
    left: (left: number) =>
      left === 0
        ? "That was your last recovery code."
        : `You used one of your recovery codes. You have ${left === 1 ? "one" : left} left.`,
    /** Shown when few are left. */
    link: { label: "Make new codes", href: "/account#second-factor" },
  },
} as const;
