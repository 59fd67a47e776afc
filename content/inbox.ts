const numberFormat = new Intl.NumberFormat("en-GB");
const aboutNumber = (number: number, about: boolean) => `${about ? "about " : ""}${numberFormat.format(number)}`;

const states = { inbox: "Inbox", new: "New", handled: "Handled", archived: "Archived", spam: "Spam", all: "All" };

/** Texts of the inbox; its messages are in `messages.ts`. */
export const inboxWords = {
  title: "Contacts",
  home: { label: "Home", href: "/" },
  logout: "Logout",
  columns: { name: "Name", company: "Company", email: "Email", interest: "Interest", sent: "Sent" },
  noCompany: "—",
  /** In place of a time that no browser has, such as "infinity". */
  noTime: (stored: string) => `Not a valid time: ${stored}`,
  /** Read out before the name of a new contact. */
  newMark: "New: ",
  markedAsSpam: "Marked as spam by an administrator.",
  states,
  number: (number: number) => numberFormat.format(number),
  newOnes: (count: number, about = false) => `${aboutNumber(count, about)} new`,
  total: (total: number, about = false) => `${aboutNumber(total, about)} ${total === 1 ? "contact" : "contacts"}`,
  found: (found: number, about = false) => `${aboutNumber(found, about)} found`,
  inView: (view: keyof typeof states, text: string) => (view === "inbox" ? text : `${states[view]}: ${text}`),
  arrived: (count: number, orMore = false) => `${count}${orMore ? " or more" : ""} just arrived`,
  older: "Older",
  newer: "Newer",
  newest: "Go to the newest",
  offline: (time: string) => `Offline. List from ${time}`,
  end: "That’s all of them.",
  noneOlder: "There are no older contacts.",
  tryAgain: "Try again",
  find: {
    label: "Find contacts",
    search: "Search",
    searchHint: "Name, company, email",
    filter: (active: number) => (active === 0 ? "Filter" : `Filter (${active})`),
    states: "Status",
    interest: "Interest",
    everyInterest: "All interests",
    from: "From",
    until: "Until",
    jump: "Jump to",
    clear: "Clear all filters",
  },
  nothing: {
    title: "Nothing found",
    text: (searched: readonly string[]) => `No contacts in this view match your search: ${searched.join(", ")}.`,
    from: (day: string) => `from ${day}`,
    until: (day: string) => `until ${day}`,
    here: (view: string) => `There are no contacts under ${view}.`,
  },
  done: { title: "All done", text: "Every contact is archived. You’ll find them under All." },
  empty: "What visitors send through the contact form will appear here, newest first.",
  notAdmin: (email = "a user without admin access") =>
    `You are logged in as ${email}. Ask the people who run this site to give this account admin access, then try again. To use another account, log out first.`,
  /** Shown where the site asks administrators for a second factor, and this one has none. */
  setUp: {
    title: "Please set up two-step login first",
    text: "On this site, administrators log in with a password and a code from an app on their phone. It takes about two minutes to set up. The contacts are safe, and you’ll see them straight afterwards.",
    link: { label: "Set up two-step login", href: "/account#second-factor" },
  },
  refused: "This account can’t see them. If you have just been given admin access, log out and log in again.",
  unanswered: "The server did not answer. The list will appear as soon as the connection is back.",
  slow: "The server is taking longer than usual. No contacts are lost.",
  notLoaded: "No contacts are lost: they are all stored, even if this page can’t show them right now.",
  deliveries: {
    title: (count: number) =>
      count === 1 ? "One message has not been delivered" : `${count} messages have not been delivered`,
    nothingLost: "No contacts are lost: every one of them is safely stored.",
    what: {
      mail: (count: number) => (count === 1 ? "One email about a contact" : `${count} emails about contacts`),
      webhook: (count: number) => (count === 1 ? "One webhook call" : `${count} webhook calls`),
      "account-mail": (count: number) =>
        count === 1 ? "One email about an account" : `${count} emails about accounts`,
    },
    since: "failing since",
    nextTry: (time: string) => `Next attempt: ${time}.`,
    stillTrying: "Trying again soon.",
    gaveUp: "No further attempts.",
    moreReasons: (count: number) => (count === 1 ? "And one more reason." : `And ${count} more reasons.`),
    trying: "Trying…",
    triedAgain: (count: number) =>
      count === 0
        ? "There was nothing left to send."
        : `Sending ${count === 1 ? "one message" : `${count} messages`} again. Anything that fails will show up here.`,
    notTried: "The server could not be reached, so nothing was sent again.",
  },
} as const;
