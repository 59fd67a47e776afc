/**
 * The language of all texts in this folder, as BCP 47 writes it, such as "de-DE". Pages and mails are marked with it, and
 * dates and numbers are written as it does.
 */
export const language = "en-GB";

/** The number of a picture, before its caption. */
export const figureLabel = (number: number) => `Fig. ${number}.`;
