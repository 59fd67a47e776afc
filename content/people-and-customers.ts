/**
 * Proof of what the landing page says. All lists are empty at first, and the page shows nothing of an empty one. Fill in
 * only what is true and what the people and companies named here have agreed to. Case studies are in `case-studies/`.
 */
export interface Person {
  name: string;
  role: string;
  /** One sentence in which a visitor gets to know this person. */
  line: string;
  /** The name of a picture file in content/pictures/. Without one, the page shows the initials. */
  portrait?: string;
}

export interface Quote {
  /** The words as they were said or written, without quotation marks. */
  text: string;
  name: string;
  role: string;
  company: string;
}

export interface CompanyLogo {
  /** The name of the company, for visitors who do not see the logo. */
  name: string;
  /** The name of an SVG or PNG file in content/pictures/, without a background. The page shows it in one colour. */
  file: string;
}

export interface Screenshot {
  /** The slug of the project that the screenshot is of. Its name is shown before the caption. */
  project?: string;
  /** The name of a picture file in content/pictures/. */
  file: string;
  /** What the screenshot shows, for visitors who do not see it. */
  alt: string;
  caption: string;
}

/** The people a client works with, shown after About. */
export const people: readonly Person[] = [];

/** What clients and partners say, shown with the reasons. */
export const quotes: readonly Quote[] = [];

/** The logos of clients and partners, shown below the reasons. */
export const logos: readonly CompanyLogo[] = [];

/** Pictures of your products, shown after the projects. */
export const screenshots: readonly Screenshot[] = [];

export const proofWords = {
  people: { label: "Our Team", claim: "The people you will work with" },
  caseStudies: {
    /** Above those on the landing page. */
    claim: "Growth on record",
    lead: "Read from our clients’ own books.",
    /** After the name "Current Projects", which stands below them. */
    afterProjects: "of our own",
    label: "Case study",
    problem: "The problem",
    method: "What we did",
    results: "What changed",
    newer: "Newer case study",
    older: "Older case study",
    call: { claim: "What should change at your company?", label: "Work With Us", href: "/#contact" },
  },
  screenshots: { label: "Screenshots", claim: "A closer look at the products" },
  quotes: "What clients and partners say",
  logos: "Companies we have worked with",
} as const;
