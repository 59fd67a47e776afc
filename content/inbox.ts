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
  /** Read out before the name of an unread contact. */
  unreadMark: "New: ",
  markedAsSpam: "Marked as spam by an administrator.",
  states,
  number: (number: number) => numberFormat.format(number),
  unread: (unread: number, about = false) => `${aboutNumber(unread, about)} unread`,
  total: (total: number, about = false) => `${aboutNumber(total, about)} ${total === 1 ? "contact" : "contacts"}`,
  found: (found: number, about = false) => `${aboutNumber(found, about)} found`,
  inView: (view: keyof typeof states, text: string) => (view === "inbox" ? text : `${states[view]}: ${text}`),
  arrived: (count: number, orMore = false) => `${count}${orMore ? " or more" : ""} new`,
  older: "Older",
  newer: "Newer",
  newest: "To the newest",
  offline: (time: string) => `Offline. List of ${time}`,
  end: "These are all.",
  noneOlder: "There is no older contact.",
  tryAgain: "Try again",
  find: {
    label: "Find contacts",
    search: "Search",
    searchHint: "Name, company, email",
    filter: (active: number) => (active === 0 ? "Filter" : `Filter (${active})`),
    states: "State",
    interest: "Interest",
    everyInterest: "All interests",
    from: "From",
    until: "Until",
    jump: "Jump to",
    clear: "Clear all filters",
  },
  nothing: {
    title: "Nothing found",
    text: (searched: readonly string[]) => `No contact here matches ${searched.join(", ")}.`,
    from: (day: string) => `from ${day}`,
    until: (day: string) => `until ${day}`,
    here: (view: string) => `There is no contact under ${view}.`,
  },
  done: { title: "Nothing is waiting", text: "Every contact is archived. They are under All." },
  empty: "What visitors send through the contact form will appear here, the newest first.",
  notAdmin: (email = "an account without that role") =>
    `You are logged in as ${email}. Ask the person who runs this site to make this account an administrator, then try again. To use another account, log out first.`,
  /** Shown where the site asks administrators for a second factor, and this one has none. */
  setUp: {
    title: "Your account needs a second factor first",
    text: "On this site, administrators log in with a password and a code from an app on their phone. Setting it up takes about two minutes. The contacts are safe and open right after.",
    link: { label: "Set up the second factor", href: "/account#second-factor" },
  },
  refused: "The database did not let this account read them. If its role has just changed, log out and log in again.",
  unanswered: "There was no answer. The list appears by itself as soon as the connection is back.",
  notLoaded: "No contact is lost by this: they are kept, whether or not this page can show them.",
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
