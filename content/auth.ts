/** The words of the login and sign-up screen, as in the specification, section 2. Its messages are in `messages.ts`. */
export const authWords = {
  email: "Email",
  password: "Password",
  login: { title: "Login", submit: "Login", busy: "Logging in…", toggle: "No account? Sign up" },
  signup: { title: "Sign up", submit: "Sign up", busy: "Signing up…", toggle: "Have an account? Login" },
  /** Around the address it went to. */
  mailSent: {
    start: "The email went to ",
    end: ". Open the link in it to confirm the address; it brings you back here.",
  },
  /** Beside the form, for those who took the wrong door. */
  visitor: {
    text: "This door is for the people who read and answer what visitors send. To write to us you need no account.",
    link: { label: "To the contact form", href: "/#contact" },
  },
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
