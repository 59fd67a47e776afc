/** Sentences of pages that need JavaScript, in place of a part of them that does not work. */
export const pageProblems = {
  unsupported:
    "This page needs JavaScript, and a browser that is not older than Chrome or Edge 120, Firefox 125 or Safari 17.4. Please switch JavaScript on, or use a newer browser, and reload.",
  notStored:
    "Your browser stores nothing for this site, so it would forget a login at once. Please allow this site to store data, such as cookies, and reload.",
  storageFull:
    "The space that your browser keeps for this site is full, so it would forget a login at once. Please delete this site’s data in your browser’s settings, and reload.",
  notLoaded: "A part of this page could not be loaded. Please reload it.",
  /** After Enter or a press of the button while the page still loads. */
  waiting: "One moment: the page is still loading, then it logs you in.",
  reload: "Reload",
} as const;
