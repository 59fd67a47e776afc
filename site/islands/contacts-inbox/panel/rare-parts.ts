/**
 * A chunk of its own; see `useRareParts`. It imports no module of the inbox, because each module that two chunks share
 * becomes one more file that the inbox has to load at first.
 */
export { personalDataFileWords } from "#content/personal-data-file";
export { repliesTo } from "./replies";
export { ReplyOffer } from "./reply-offer";
