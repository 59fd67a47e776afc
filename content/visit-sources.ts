/**
 * Whether the server counts visits, and a contact comes with its source. With `false`, neither is done, and the privacy
 * policy says nothing of it.
 */
export const keepsSources = true;
