import { brand } from "./brand.ts";
import { language } from "./language.ts";

const numberFormat = new Intl.NumberFormat(language);

/** A name in a sentence: one from right to left leaves the order of what is around it as it is (FSI and PDI of Unicode). */
const isolate = (name: string) => `\u2068${name}\u2069`;

const states = {
  ...{ inbox: "Inbox", new: "New", handled: "Handled", archived: "Archived", spam: "Spam", all: "All" },
  deleted: "Deleted",
};

/** Texts of the inbox; its messages are in `messages.ts`. */
export const inboxWords = {
  title: "Contacts",
  home: { label: "Home", href: "/" },
  logout: "Logout",
  columns: { select: "Select", name: "Name", company: "Company", email: "Email", interest: "Interest", sent: "Sent" },
  noCompany: "—",
  /** In place of a time that no browser has, such as "infinity". */
  noTime: (stored: string) => `Not a valid time: ${stored}`,
  /** Read out before the name of a new contact. */
  newMark: "New: ",
  markedAsSpam: "Marked as spam by an administrator.",
  states,
  number: (number: number) => numberFormat.format(number),
  newOnes: (count: number) => `${numberFormat.format(count)} new`,
  total: (total: number) => `${numberFormat.format(total)} ${total === 1 ? "contact" : "contacts"}`,
  found: (found: number) => `${numberFormat.format(found)} found`,
  arrived: (count: number, orMore = false) => `${count}${orMore ? " or more" : ""} just arrived`,
  older: "Older",
  newer: "Newer",
  newest: "Go to the newest",
  offline: (time: string) => `Offline. List from ${time}`,
  end: "That’s all of them.",
  noneOlder: "There are no older contacts.",
  deletedFor: "Deleted contacts stay here for 30 days at most. Then they are gone for good, with their notes.",
  tryAgain: "Try again",
  find: {
    label: "Find contacts",
    search: "Search",
    searchHint: "Search name, company, email",
    clearSearch: "Empty this field",
    views: "Views",
    filter: (active: number) => (active === 0 ? "Filter" : `Filter (${active})`),
    filters: "Filters",
    state: "Status",
    everyState: "Any status",
    interest: "Interest",
    everyInterest: "All interests",
    from: "From",
    until: "Until",
    fromDay: (day: string) => `From ${day}`,
    untilDay: (day: string) => `Until ${day}`,
    remove: (filter: string) => `${filter}: remove this filter`,
    clear: "Clear all",
  },
  nothing: {
    title: "Nothing found",
    text: (searched: readonly string[]) =>
      `No contacts in this view match your search: ${searched.map(isolate).join(", ")}.`,
    here: (view: string) => `There are no contacts under ${view}.`,
  },
  done: { title: "All done", text: "Every contact is archived. You’ll find them under All." },
  toForm: "See the contact form",
  more: "List options",
  sources: "Sources",
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
} as const;

/** Texts with which administrators work through contacts. */
export const workWords = {
  /** Labels of the buttons. Each stands for a state, or for the deletion. */
  actions: {
    handled: "Handled",
    new: "Reopen",
    archived: "Archive",
    spam: "Spam",
    notSpam: "Not spam",
    restore: "Restore",
    delete: "Delete",
  },
  /** The subject of a reply. It is ours: a subject from the visitor's own text could carry anything. */
  replySubject: `Your contact with ${brand.name}`,
  selection: {
    one: (name: string) => `Select ${isolate(name)}`,
    all: "Select all",
    whole: "Select all shown",
    count: (count: number) => `${count} selected`,
    clear: "Clear",
    actions: "Actions for the selected contacts",
  },
  outcome: {
    handled: (who: string) => `Handled: ${isolate(who)}.`,
    new: (who: string) => `New again: ${isolate(who)}.`,
    archived: (who: string) => `Archived: ${isolate(who)}.`,
    spam: (who: string) => `Marked as spam: ${isolate(who)}.`,
    notSpam: (who: string) => `Not spam: ${isolate(who)}.`,
    deleted: (who: string) => `Deleted: ${isolate(who)}.`,
    restored: (who: string) => `Restored: ${isolate(who)}.`,
    assigned: (to: string, who: string) => `Assigned to ${isolate(to)}: ${isolate(who)}.`,
    undone: (who: string) => `Undone: ${isolate(who)}.`,
    contacts: (count: number) => (count === 1 ? "one contact" : `${count} contacts`),
    label: "Last change",
    undo: "Undo",
    dismiss: "Dismiss",
    missing: (count: number) =>
      count === 1
        ? "One contact was changed or deleted by another administrator, so it was left alone."
        : `${count} contacts were changed or deleted by another administrator, so they were left alone.`,
    failed: "The change was refused, so it has been undone.",
    unanswered: "The server did not answer, so the change has been undone here. The list is reloading.",
  },
  deletion: {
    title: (count: number) => `Delete ${count} contacts?`,
    text: "You’ll find them under Deleted, in the list options. After 30 days they are gone for good, with their notes.",
    confirm: (count: number) => `Delete ${count} contacts`,
    cancel: "Cancel",
  },
  /** Who takes care of a contact. */
  handler: {
    label: "Assigned to",
    /** The heading of a narrow column. */
    column: "Who",
    assign: "Assign",
    anyone: "Anyone",
    me: "Me",
    nobody: "Nobody",
    inSentence: { me: "you", nobody: "nobody" },
    mine: "Mine",
    nobodys: "Nobody’s",
    to: (who: string) => `Assigned to ${who}`,
  },
  panel: {
    label: "Open contact",
    actions: "Actions for this contact",
    loading: "Loading…",
    close: "Close",
    previous: "Previous",
    next: "Next",
    reply: "Reply",
    more: "More",
    mark: { handled: "Mark as handled", new: "Reopen", archived: "Archive", spam: "Mark as spam" },
    replyWith: (label: string) => `Reply with: ${label}`,
    saveData: "Save all about this address",
    state: "Status",
    source: "Came from",
    campaign: (name: string) => `campaign “${name}”`,
    firstPage: (path: string) => `page ${path}`,
    gone: "This contact could not be found",
    goneText: "It has been deleted, or the link is incomplete.",
    failed: "This contact could not be loaded",
    toList: "Show the list",
    others: "Also from this address",
    othersFailed: "The other contacts could not be loaded.",
  },
  /** What has happened to a contact; each follows its time. */
  history: {
    title: "History",
    sent: "Sent through the form",
    read: "Opened",
    note: "Note written",
    handled: "Handled",
    by: {
      read: (who: string) => `Opened by ${who}`,
      note: (who: string) => `Note by ${who}`,
      handled: (who: string) => `Handled by ${who}`,
    },
    archived: "Archived",
    spam: "Marked as spam",
    deleted: "Deleted",
    filedAsSpam: (reason: string) => `Filed as spam: ${reason}`,
  },
  note: {
    label: "Note",
    hint: "Only administrators can see it.",
    save: "Save note",
    saving: "Saving…",
    saved: "Saved",
    unsaved: "Not saved yet",
    restored: "You hadn’t saved this text. This browser kept it for you.",
    discard: "Discard",
    failed: "The note was not saved. Your text is still here.",
    tooLong: "A note has at most 5,000 characters. Please shorten it; your text is still here.",
    gone: "This contact has been deleted, so the note was not saved. This browser keeps your text for 30 days.",
    newer: "Another administrator has changed this note:",
    emptied: "(The note was cleared.)",
    replace: "Save mine instead",
    both: "Keep both",
    theirs: "Keep theirs",
    waiting: (count: number) => (count === 1 ? "A note was not saved." : `${count} notes were not saved.`),
    open: (count: number) => (count === 1 ? "Open the contact" : "Open the first one"),
  },
  correction: {
    open: "Edit details",
  },
  shortcuts: {
    open: "Keyboard shortcuts",
  },
} as const;

/** Texts of the chart above the list of contacts. Numbers arrive with their separators. */
export const chartWords = {
  title: "Contacts per week",
  total: (total: string, weeks: number) => `${total} in ${weeks} weeks`,
  thisWeek: (contacts: string) => `${contacts} this week`,
  all: "All",
  caption: "Contacts per week and interest, without spam. Weeks start on Monday (UTC).",
  week: "Week of",
} as const;
