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
  logOutHere: "Log out on this device",
} as const;
