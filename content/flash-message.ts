/** What the landing page says to someone who comes from a link in an email. */
export const flashMessages = {
  label: "News about your account",
  confirmed: "Your email address is confirmed. You are logged in.",
  newPassword: "Your new password is saved. You are logged in here, and signed out everywhere else.",
  /** The link was good, but the session it brought was not taken. */
  notTaken: "This link did not log you in. If it has confirmed your address, log in with your password.",
  /** By the code in the address. Its text is not shown: anyone can write a link that says anything. */
  refusals: {
    otp_expired: "Email link is invalid or has expired",
    user_banned: "User is banned",
  } as Readonly<Record<string, string>>,
  refused: "This link did not work.",
  askAgain:
    "A link works once, and only for a while. If you have used it before, just log in; otherwise we send you a new one.",
  email: "Your email",
  login: { label: "Login", href: "/auth" },
  close: "Close",
} as const;
