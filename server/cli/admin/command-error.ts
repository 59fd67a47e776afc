/** Why a command cannot do what was asked, in words for who typed it. */
export class CommandError extends Error {}
