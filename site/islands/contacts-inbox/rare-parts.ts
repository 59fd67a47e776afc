/**
 * A chunk of its own; see `useRareParts`. It imports no module that the inbox loads at first, because each module of both
 * becomes one more file to load at first.
 */
export { correctionWords, shortcutWords } from "#content/inbox-extras";
export { personalDataFileWords } from "#content/personal-data-file";
export { repliesTo } from "./panel/replies";
export { ReplyOffer } from "./panel/reply-offer";
