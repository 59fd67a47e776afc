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
    u: "Reopen",
    t: "Take, or let go",
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
