/** Texts of the login and the sign-up; their messages are in `messages.ts`. */
export const authWords = {
  email: "Email",
  password: "Password",
  login: { title: "Login", submit: "Login", busy: "Logging in…", toggle: "No account? Sign up" },
  signup: { title: "Sign up", submit: "Sign up", busy: "Signing up…", toggle: "Have an account? Login" },
  backToLogin: "Back to the login",
  /** In place of the toggle to the sign-up, and in place of its form, where the operator has closed the sign-up. */
  signUpClosed: {
    short: "Sign-up is closed.",
    text: "Sign-up is closed. The people who run this site create the accounts; if you need one, please ask them.",
  },
  /** Shown beside the form, for visitors who look for the contact form. */
  visitor: {
    text: "This login is for the people who read and answer what visitors send. To write to us you need no account.",
    link: { label: "To the contact form", href: "/#contact" },
  },
  withoutJavaScript: "Logging in needs JavaScript. Please switch it on and load this page again.",
} as const;

/** Texts of the form that asks for a mail with a link and a code. */
export const mailWords = {
  forgot: "Forgot password?",
  signup: {
    title: "Confirm your address",
    text: "Tell us the address you signed up with, and we send you a new email to confirm it.",
  },
  recovery: {
    title: "Choose a new password",
    text: "Tell us the email address of your account, and we send you a way to choose a new password.",
  },
  send: "Send the email",
  sending: "Sending...",
  /** Neither text tells whether an account exists, so that nobody can find out who has one. */
  sent: {
    signup: "If this address is waiting to be confirmed, another email is on its way.",
    recovery: "If there is an account with this address, an email is on its way.",
  },
  notSent: "The email could not be sent. Please try again.",
} as const;

/** Texts of the button that asks for the same mail again; the address is already known. */
export const mailAgainWords = {
  send: "Send the email again",
  sending: mailWords.sending,
  sent: mailWords.sent.signup,
  notSent: mailWords.notSent,
  /**
   * This limit holds for our server and for hosted Supabase. To a second request within the minute, our server answers
   * 200 but sends no mail.
   */
  wait: "We send one email a minute to an address, at most.",
} as const;

/** Texts of the form that takes the code of a mail in place of its link. */
export const codeWords = {
  have: "Have a code from an email?",
  title: "Enter your code",
  label: "Six-digit code",
  hint: "The newest email has it, and it is good for one hour.",
  submit: "Confirm",
  busy: "Checking…",
  /** `start` and `end` stand before and after the address that the mail went to. */
  signup: { start: "The email went to ", end: ". Open the link in it to confirm the address, or type its code here." },
  recovery: { start: "We wrote to ", end: ". Open the link in the email, or type its code here." },
  any: "Type the address that the email went to, the code that it brought, and the password you want from now on.",
  malformed: "The code in the email has six digits.",
  wrong: "This code is wrong or has expired. Please compare it with the newest email.",
  noMoreTries: "None of these five codes was right, and a code is good for five tries. Let us send you a new one.",
} as const;

/**
 * Texts of the page that a mailed link opens. Only the button on that page uses up the link: mail scanners open links.
 */
export const linkWords = {
  busy: "One moment…",
  signup: {
    title: "Confirm your address",
    text: "One step is left: press the button, and your address is confirmed and you are logged in.",
    button: "Confirm my address",
  },
  /** Replaces the text for "signup" in another browser than that of the sign-up. */
  elsewhere: {
    text: "This sign-up did not begin in this browser. Choose a password here: only this one will count. Then your address is confirmed and you are logged in.",
    remark: "You did not sign up? Then please close this page, and nothing happens.",
  },
  recovery: {
    title: "Choose a new password",
    text: "You asked for a new password. Press the button, and choose it on the next screen.",
    button: "Choose a new password",
  },
  invite: {
    title: "You are invited",
    text: "Somebody made an account for you here. Accept, and choose a password of your own on the next screen.",
    button: "Accept the invitation",
  },
  emailChange: {
    title: "Confirm the new address",
    text: "Your account is to get another email address. Press the button to confirm it.",
    button: "Confirm the change",
    /** Shown after the first of the two links. */
    other: "This address has confirmed the change. Now open the email in the other mailbox, and confirm it there too.",
  },
  /** The server gives the same answer for a used, an expired and an incomplete link, so each text names all three. */
  expired: {
    signup:
      "This link has been used, has expired, or is not complete. If you have confirmed your address already, just log in; otherwise we send you a new email.",
    recovery: "This link has been used, has expired, or is not complete. We can send you a new one.",
    invite:
      "This invitation has been used, has expired, or is not complete. If the account is yours, we can send you a link to choose its password.",
    emailChange:
      "This link has been used, has expired, or is not complete. If you have confirmed with it already, open the email in the other mailbox. Otherwise log in with the address that your account has now, and ask for the change again.",
  },
  refusals: {
    user_banned: "This account is closed. Please write to us if you think that is a mistake.",
    bad_jwt: "Your session is no longer valid. Please load this page again.",
    over_request_rate_limit: "Too many tries in a short time. Please wait a few minutes, then try again.",
    over_email_send_rate_limit: "Too many emails were asked for in a short time. Please wait an hour, then try again.",
  } as Readonly<Record<string, string>>,
  failed: "That did not work. Please try again in a moment.",
} as const;

/**
 * Our text for a refusal; undefined if the server's message is good enough. Our server says how long to wait, a hosted
 * project does not.
 */
export function refusalWords(code = "", message = ""): string | undefined {
  const [, wait] = / (?:try again in|only request this after) (\d+ \w+)\.$/.exec(message) ?? [];
  const isLimited = /^over_\w+_rate_limit$/.test(code) && wait !== undefined;
  return isLimited ? `Too many tries in a short time. Please try again in ${wait}.` : linkWords.refusals[code];
}

/** Texts of the form for a new password. It is shown after a mailed link or code, and on the account page. */
export const passwordWords = {
  title: "Choose a new password",
  account: "Your account",
  current: "Current password",
  label: "New password",
  hint: (charactersMin = 8) =>
    `At least ${charactersMin} characters. Three or four unrelated words are easy to keep and hard to guess.`,
  show: "Show",
  hide: "Hide",
  /** Completes the accessible names of the buttons "Show" and "Hide". */
  subject: "what is typed",
  submit: "Save the password",
  busy: "Saving…",
  others: "All other devices are logged out by this.",
  failed: "The password could not be saved. Please try again.",
  /** Shown when the session that the mail opened has ended. */
  tooLate: "Too much time has passed since you opened the email. Let us send you a new one.",
} as const;
