import { imprint } from "./imprint.ts";

export interface NavigationLink {
  label: string;
  href: string;
}

/** The sections that the header links to, in the order of the landing page. */
export const sectionLinks: readonly NavigationLink[] = [
  { label: "About", href: "/#about" },
  { label: "Services", href: "/#services" },
  { label: "Case Studies", href: "/#case-studies" },
  { label: "Contact", href: "/#contact" },
];

export const workWithUs: NavigationLink = { label: "Work With Us", href: "/#contact" };
export const login: NavigationLink = { label: "Login", href: "/auth" };
/** People who are logged in see one of these in place of the link to the login: administrators the first one. */
export const inboxLink: NavigationLink = { label: "Contacts", href: "/admin/contacts" };
export const accountLink: NavigationLink = { label: "Account", href: "/account" };
export const home: NavigationLink = { label: "Back to the home page", href: "/" };

export const legalLinks: readonly NavigationLink[] = [
  { label: "Privacy policy", href: "/privacy-policy" },
  { label: "Terms of service", href: "/terms-of-service" },
  ...(imprint.sections.length > 0 ? [{ label: imprint.title, href: "/imprint" }] : []),
];

/** Texts of the header, the menu and the footer, and names for screen readers. */
export const navigationWords = {
  skip: "Skip to content",
  main: "Main",
  menu: "Menu",
  close: "Close",
  legal: "Legal",
  homeOf: "home",
} as const;

/** Stands below the button "Logout" (docs/specification.md#logout). */
export const logoutScope = "on all devices";

/** The menu of the account in the header of the work tool. */
export const accountMenuWords = {
  account: { title: "Your account", about: "Password, email address and two-step login" },
  logOutHere: "You stay logged in everywhere else.",
  /** Tells the other button apart. */
  logout: "“Logout”, at the top of the page, logs you out on all your devices.",
} as const;
