/**
 * The language of all texts in this folder, as BCP 47 writes it, such as "de-DE". Pages and mails are marked with it, and
 * numbers, and the times in mails, are written as it does. Inbox and account show times in the format of the reader's browser.
 */
export const language = "en-GB";

/** The number of a picture, before its caption. */
export const figureLabel = (number: number) => `Fig. ${number}.`;
