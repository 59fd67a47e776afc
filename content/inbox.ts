/** Texts of the inbox; its messages are in `messages.ts`. */
export const inboxWords = {
  title: "Contacts",
  home: { label: "Home", href: "/" },
  logout: "Logout",
  columns: { name: "Name", company: "Company", email: "Email", interest: "Interest", sent: "Sent" },
  noCompany: "—",
  spam: "Filed as spam",
  more: "Show more",
  tryAgain: "Try again",
  total: (total: number) => `${total} in all`,
  shown: (shown: number, total: number) => `${shown} of ${total}`,
  empty: "What visitors send through the contact form will appear here, the newest first.",
  notAdmin: (email = "an account without that role") =>
    `You are logged in as ${email}. Ask the person who runs this site to make this account an administrator, then try again.`,
  refused: "The database did not let this account read them. If its role has just changed, log out and log in again.",
  notLoaded: "No contact is lost by this: they are kept, whether or not this page can show them.",
  chart: {
    title: "Contacts per week",
    thisWeek: "This week",
    week: (monday: string, contacts: number) => `Week of ${monday}: ${contacts}`,
  },
  deliveries: {
    title: (count: number) =>
      count === 1 ? "One message is not getting out" : `${count} messages are not getting out`,
    nothingLost: "Every contact is kept and in this list, whether or not somebody was told.",
    what: {
      mail: (count: number) => (count === 1 ? "One mail about a contact" : `${count} mails about contacts`),
      webhook: (count: number) => (count === 1 ? "One webhook call" : `${count} webhook calls`),
      "account-mail": (count: number) => (count === 1 ? "One mail about an account" : `${count} mails about accounts`),
    },
    since: "failing since",
    nextTry: (time: string) => `Still being tried, next: ${time}.`,
    stillTrying: "Still being tried.",
    gaveUp: "No longer being tried.",
    moreReasons: (count: number) => (count === 1 ? "And one more reason." : `And ${count} more reasons.`),
    trying: "Trying…",
    triedAgain: (count: number) =>
      count === 0
        ? "There was nothing left to try."
        : `${count === 1 ? "One message is" : `${count} messages are`} being tried again now. What fails again will show here.`,
    notTried: "That did not reach the server, so nothing was tried again.",
  },
} as const;
