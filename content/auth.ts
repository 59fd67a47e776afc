/** The words of the login and sign-up screen. Its messages are in `messages.ts`; labels follow the specification, section 2. */
export const authWords = {
  email: "Email",
  password: "Password",
  login: {
    title: "Login",
    lead: "This door is for the people who look after the contacts. To write to us you need no account:",
    submit: "Login",
    busy: "Logging in…",
    toggle: "No account? Sign up",
  },
  signup: {
    title: "Sign up",
    lead: "We send you an email with a link; opening it confirms your address. An administrator then decides what you may see. To write to us you need no account:",
    submit: "Sign up",
    busy: "Signing up…",
    toggle: "Have an account? Login",
  },
  contact: { label: "use the contact form", href: "/#contact" },
  /** Between the two, the address it went to. */
  mailSent: { start: "The email went to ", end: ". Open the link in it to confirm the address; it brings you back here." },
  withoutJavaScript: "Logging in needs JavaScript. Please switch it on and load this page again.",
} as const;

/** Asking for the confirmation once more: on this screen, and where an expired link ends. */
export const mailAgainWords = {
  send: "Send the email again",
  sending: "Sending...",
  /** Says nothing about whether an account exists. */
  sent: "If this address is waiting to be confirmed, another email is on its way.",
  notSent: "The email could not be sent. Please try again.",
} as const;
