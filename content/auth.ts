/** Texts of the login and the sign-up; their messages are in `messages.ts`. */
export const authWords = {
  email: "Email",
  password: "Password",
  login: { title: "Login", submit: "Login", busy: "Logging in…", toggle: "No account? Sign up" },
  signup: { title: "Sign up", submit: "Sign up", busy: "Signing up…", toggle: "Have an account? Login" },
  backToLogin: "Back to login",
  /** In place of the toggle to the sign-up, and in place of its form, where the operator has closed the sign-up. */
  signUpClosed: {
    short: "Sign-up is closed.",
    text: "Sign-up is closed. If you need an account, please ask the people who run this site.",
  },
  /** Shown beside the form, for visitors who look for the contact form. */
  visitor: {
    text: "Just want to write to us? You don’t need an account.",
    link: { label: "Go to the contact form", href: "/#contact" },
  },
} as const;

/** Texts of the form that asks for a mail with a link and a code. */
export const mailWords = {
  forgot: "Forgot password?",
  signup: {
    title: "Confirm your address",
    text: "Enter the email address you signed up with, and we’ll send you a new confirmation email.",
  },
  recovery: {
    title: "Choose a new password",
    text: "Enter the email address of your account, and we’ll send you a link to choose a new password.",
  },
  send: "Send the email",
  sending: "Sending…",
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
  /**
   * This limit holds for our server and for hosted Supabase. To a second request within the minute, our server answers
   * 200 but sends no mail.
   */
  wait: "We send at most one email a minute to an address.",
} as const;

/** Texts of the form that takes the code of a mail in place of its link. */
export const codeWords = {
  have: "Have a code from an email?",
  title: "Enter your code",
  label: "Six-digit code",
  hint: "It is in our latest email to you and is valid for one hour.",
  submit: "Confirm",
  busy: "Checking…",
  /** `start` and `end` stand before and after the address that the mail went to. */
  signup: {
    start: "Please check the inbox of ",
    end: ". Open the link in our email to confirm your address, or enter the code here.",
  },
  recovery: { start: "Please check the inbox of ", end: ". Open the link in our email, or enter the code here." },
  any: "Enter the address we sent the email to, the code from it, and the password you’d like to use from now on.",
  malformed: "The code in the email has six digits.",
  wrong: "This code is wrong or has expired. Please check it against our latest email.",
  noMoreTries: "After five wrong tries, this code no longer works. Please ask for a new one.",
} as const;

/**
 * Texts of the page that a mailed link opens. Only the button on that page uses up the link: mail scanners open links.
 */
export const linkWords = {
  busy: "One moment…",
  signup: {
    title: "Confirm your address",
    text: "Just one more step: press the button to confirm your address and log in.",
    button: "Confirm my address",
  },
  /** Replaces the text for "signup" in another browser than that of the sign-up. */
  elsewhere: {
    text: "This sign-up started in another browser, so please choose a password here. It replaces any earlier one. We’ll then confirm your address and log you in.",
    remark: "If you didn’t sign up, close this page and nothing will happen.",
  },
  recovery: {
    title: "Choose a new password",
    text: "Press the button, then choose your new password on the next screen.",
    button: "Choose a new password",
  },
  invite: {
    title: "You’re invited",
    text: "We have created an account for you. Accept the invitation, then choose your own password on the next screen.",
    button: "Accept the invitation",
  },
  emailChange: {
    title: "Confirm the new email address",
    text: "If you asked to change the email address of your account, press the button to confirm.",
    button: "Confirm the change",
    /** Shown after the first of the two links. */
    other: "Thank you. Now open the email we sent to your other address, and confirm the change there too.",
  },
  /** The server gives the same answer for a used, an expired and an incomplete link, so each text names all three. */
  expired: {
    signup:
      "This link is incomplete, has expired or has already been used. If you have already confirmed your address, just log in. Otherwise we can send you a new email.",
    recovery: "This link is incomplete, has expired or has already been used. We can send you a new one.",
    invite:
      "This invitation link is incomplete, has expired or has already been used. If the account is yours, we can send you a link to choose a password for it.",
    emailChange:
      "This link is incomplete, has expired or has already been used. If you have already used it, open the email we sent to your other address. Otherwise log in with your current address and ask for the change again.",
  },
  refusals: {
    user_banned: "This account is closed. If you think that’s a mistake, please write to us.",
    bad_jwt: "Your session has ended. Please reload this page.",
    over_request_rate_limit: "Too many attempts. Please wait a few minutes, then try again.",
    over_email_send_rate_limit: "Too many emails have been requested. Please wait an hour, then try again.",
  } as Readonly<Record<string, string>>,
  failed: "Something went wrong. Please try again in a moment.",
} as const;

/**
 * Our text for a refusal; undefined if the server's message is good enough. Our server says how long to wait, a hosted
 * project does not.
 */
export function refusalWords(code = "", message = ""): string | undefined {
  const [, limit, count, unit] = / (try again in|only request this after) (\d+) (\w+?)s?\.$/.exec(message) ?? [];
  if (limit === undefined || !/^over_\w+_rate_limit$/.test(code)) return linkWords.refusals[code];
  const what = limit === "try again in" ? "Too many attempts." : "That was too soon.";
  return `${what} Please try again in ${count} ${unit}${count === "1" ? "" : "s"}.`;
}

/** Texts of the form for a new password. It is shown after a mailed link or code, and on the account page. */
export const passwordWords = {
  title: "Choose a new password",
  account: "Your account",
  current: "Current password",
  label: "New password",
  hint: (charactersMin = 8) =>
    `At least ${charactersMin} characters. Three or four unrelated words are easy to remember and hard to guess.`,
  show: "Show",
  hide: "Hide",
  /** Completes the accessible names of the buttons "Show" and "Hide". */
  subject: "what you typed",
  submit: "Save the password",
  busy: "Saving…",
  others: "This logs you out on all other devices.",
  failed: "The password could not be saved. Please try again.",
  /** Shown when the session that the mail opened has ended. */
  tooLate: "It has been too long since you opened the email. We can send you a new one.",
} as const;
