/** The words of the list of contacts. Its messages are in `messages.ts`. */
export const inboxWords = {
  title: "Contacts",
  home: { label: "Home", href: "/" },
  logout: "Logout",
  loggingOut: "Logging out…",
  columns: { name: "Name", company: "Company", email: "Email", interest: "Interest", sent: "Sent" },
  noCompany: "—",
  more: "Show more",
  loadingMore: "Loading…",
  tryAgain: "Try again",
  ofAll: (shown: number, total: number) => `${shown} of ${total}`,
  empty: "What visitors send through the contact form appears here, the newest first.",
  notAdmin: {
    /** Between the two, the address of the account. */
    start: "You are logged in as ",
    end: ". Ask the person who runs this site to give that account the role of an administrator, then try again.",
  },
  refused: "The database did not let this account read them. If your role has just changed, log out and log in again.",
  notLoaded: "Nothing is lost: contacts are kept whether or not this page can show them. Trying again in a minute often helps.",
} as const;
