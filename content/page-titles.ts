import { brand } from "./brand.ts";
import { imprint } from "./imprint.ts";
import { pageMessages } from "./messages.ts";

export interface PageWords {
  path: string;
  title: string;
  description: string;
  /** The page is left out of the sitemap and carries `noindex`. */
  unlisted?: boolean;
  /**
   * The server sends this page for any address that is unknown or whose request failed, so it has no canonical link.
   */
  anywhere?: boolean;
  /** A page that is an article has a preview picture of its own, at its path with `.png`. */
  article?: { headline: string; published: Date };
}

export const landing: PageWords = {
  path: "/",
  title: `${brand.name}: AI strategies that scale companies`,
  description:
    "A small consultancy for AI-driven marketing and product growth. We work alongside founders and teams, and build digital products of our own.",
};

export const privacyPolicy: PageWords = {
  path: "/privacy-policy",
  title: `Privacy policy – ${brand.name}`,
  description: `What ${brand.legalName} stores when you write to us${brand.app && ` or use ${brand.app}`}, why, for how long, and what you can ask of us.`,
};

export const termsOfService: PageWords = {
  path: "/terms-of-service",
  title: `Terms of service – ${brand.name}`,
  description: `The rules for using this website${brand.app && ` and ${brand.app}`}: who may do so, what you may expect, and what we ask of you.`,
};

/** One page, or none while the imprint is empty. */
export const imprintPage: readonly PageWords[] = imprint.sections.slice(0, 1).map(() => ({
  path: "/imprint",
  title: `${imprint.title} – ${brand.name}`,
  description: `Who is responsible for this website: name, postal address, registration and contact details of ${brand.legalName}.`,
}));

export const auth: PageWords = {
  path: "/auth",
  title: `Login – ${brand.name}`,
  description: `Log in to ${brand.name}, or sign up.`,
  unlisted: true,
};

export const inbox: PageWords = {
  path: "/admin/contacts",
  title: `Contacts – ${brand.name}`,
  description: "What visitors have sent us. For administrators only.",
  unlisted: true,
};

export const account: PageWords = {
  path: "/account",
  title: `Your account – ${brand.name}`,
  description: "Change your email address and your password, and set up a second factor.",
  unlisted: true,
};

export const notFound: PageWords = {
  path: "/404",
  title: `Page not found – ${brand.name}`,
  description: "There is no page at this address.",
  unlisted: true,
  anywhere: true,
};

export const thanks: PageWords = {
  path: "/thanks",
  title: `Thank you – ${brand.name}`,
  description: "Your message has reached us.",
  unlisted: true,
};

export const unexpected: PageWords = {
  path: "/error",
  title: `${pageMessages.unexpected} – ${brand.name}`,
  description: "Something went wrong on our side.",
  unlisted: true,
  anywhere: true,
};

/** All pages of the build. */
export const pages: readonly PageWords[] = [
  landing,
  privacyPolicy,
  termsOfService,
  ...imprintPage,
  auth,
  inbox,
  account,
  notFound,
  thanks,
  unexpected,
];

/** Texts of the pages that show only a message; their messages are in `messages.ts`. */
export const messagePages = {
  notFound: {
    text: "There is no page at this address. It may have moved, or there may be a typo in the link.",
  },
  thanks: { text: "It has reached us safely. This is what happens next:" },
  unexpected: {
    text: "This should not have happened. Please go back and try again in a minute. If it happens again, write to us.",
  },
} as const;
