export interface NavigationLink {
  label: string;
  href: string;
}

/** The parts of the landing page that the header leads to, in the order of the page. */
export const sectionLinks: readonly NavigationLink[] = [
  { label: "About", href: "/#about" },
  { label: "Services", href: "/#services" },
  { label: "Case Studies", href: "/#case-studies" },
  { label: "Contact", href: "/#contact" },
];

export const workWithUs: NavigationLink = { label: "Work With Us", href: "/#contact" };
export const login: NavigationLink = { label: "Login", href: "/auth" };
/** In place of the login, for whoever may read the contacts. */
export const inboxLink: NavigationLink = { label: "Contacts", href: "/admin/contacts" };
export const home: NavigationLink = { label: "Back to the home page", href: "/" };

export const legalLinks: readonly NavigationLink[] = [
  { label: "Privacy policy", href: "/privacy-policy" },
  { label: "Terms of service", href: "/terms-of-service" },
];

/** The licence texts of the two typefaces; the build copies them out of the font packages. */
export const fontLicences: readonly NavigationLink[] = [
  { label: "Fraunces", href: "/fonts/LICENSE-fraunces.txt" },
  { label: "Figtree", href: "/fonts/LICENSE-figtree.txt" },
];

/** What only a screen reader says, and the words of the small parts around every page. */
export const navigationWords = {
  skip: "Skip to the content",
  main: "Main",
  menu: "Menu",
  close: "Close",
  creed: "We grow things, and we measure what we grow.",
  legal: "Legal",
  homeOf: "home",
  typefaces: "Set in",
  and: "and",
  licencesOpen: "both under the SIL Open Font License",
} as const;
