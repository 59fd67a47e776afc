/** Fixed messages (docs/specification.md#fixed-texts). */
export const contactMessages = {
  noInterest: "Please select what you're interested in.",
  tooFast: "You're sending too fast. Please wait a few seconds and try again.",
  notSaved: "Failed to save submission",
  notSent: "Failed to send. Please try again.",
  sent: "Thanks! Your application was sent.",
  /** The form and the server both use these messages. The database repeats `noInterest`, `noName` and `noEmail`. */
  noName: "Please enter your name.",
  noCompany: "Please enter your company.",
  noEmail: "Please enter a valid email address.",
  /** The answer when a page of another site posts the form. */
  foreign: "Please use the form on our own page.",
} as const;

export const pageMessages = {
  notFound: "Oops! Page not found",
  unexpected: "Unexpected Application Error",
} as const;

export const authMessages = {
  loggedIn: "Logged in successfully",
  notLoggedIn: "Login failed",
  signedUp: "Sign up successful. Check your email to confirm.",
  notSignedUp: "Sign up failed",
} as const;

export const inboxMessages = {
  loading: "Loading…",
  empty: "No submissions yet.",
  notAdmin: "You need admin access to view this page.",
  refused: "You do not have permission to view contacts.",
  notLoaded: "Failed to load contacts",
} as const;
