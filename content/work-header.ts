import { accountLink, inboxLink, type NavigationLink } from "./navigation.ts";

/** The pages of the work tool, in the order of its header. Only administrators see the first one. */
export const workLinks: readonly (NavigationLink & { forAdmins?: true })[] = [
  { ...inboxLink, forAdmins: true },
  accountLink,
];

/** Stands below the button "Logout" (docs/specification.md#logout). */
export const logoutScope = "on all devices";

export const workWithoutJavaScript = "This page needs JavaScript. Please switch it on and reload.";
