/** Texts of the form that corrects a contact. */
export const correctionWords = {
  save: "Save changes",
  saving: "Saving…",
  cancel: "Cancel",
  failed: "The changes were not saved.",
  gone: "This contact has been deleted, so nothing was saved.",
  saved: "Changes saved.",
} as const;

/** Texts of the list of keys. */
export const shortcutWords = {
  title: "Keyboard shortcuts",
  switch: "Use single-key shortcuts",
  text: "Except for Escape, they are off while you type. If you use a screen reader, switch them off or pass the key through.",
  close: "Close",
  keys: {
    j: "Next contact",
    k: "Previous contact",
    x: "Select",
    e: "Handled",
    a: "Archive",
    u: "Reopen, or restore",
    t: "Take, or let go",
    g: "Give to somebody",
    "!": "Spam, or not spam",
    "#": "Delete",
    z: "Undo",
    "/": "Search",
    "?": "This list",
    Enter: "Open",
    Escape: "Close, or leave a field",
    "Ctrl+Enter": "Save the note",
  },
} as const;

/** Texts about messages that could not be delivered. */
export const deliveryWords = {
  title: (count: number) =>
    count === 1 ? "One message has not been delivered" : `${count} messages have not been delivered`,
  nothingLost: "No contacts are lost: every one of them is safely stored.",
  what: {
    mail: (count: number) => (count === 1 ? "One email about a contact" : `${count} emails about contacts`),
    webhook: (count: number) => (count === 1 ? "One webhook call" : `${count} webhook calls`),
    "account-mail": (count: number) => (count === 1 ? "One email about an account" : `${count} emails about accounts`),
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
} as const;
