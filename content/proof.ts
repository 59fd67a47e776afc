/**
 * Proof of what the landing page says. All lists are empty at first, and the page shows nothing of an empty one. Fill in
 * only what is true and what the people and companies named here agreed to.
 */
export interface Person {
  name: string;
  role: string;
  /** One sentence in which a visitor gets to know this person. */
  line: string;
}

export interface Result {
  /** The client or the product that the result is about. */
  of: string;
  problem: string;
  method: string;
  /** The number, such as "+38 %", and what it counts. */
  figure: { value: string; label: string };
  /** Where the number comes from, and from which time, so that a reader can trust it. */
  source: string;
}

export interface Quote {
  /** The words as they were said or written, without quotation marks. */
  text: string;
  name: string;
  role: string;
  company: string;
}

/** The people a client works with, shown after About. */
export const people: readonly Person[] = [];

/** What your work has changed, shown after the projects. */
export const results: readonly Result[] = [];

/** What clients and partners say, shown with the reasons. */
export const quotes: readonly Quote[] = [];

export const proofWords = {
  people: { label: "Our Team", claim: "The people you will work with" },
  results: {
    label: "Results",
    claim: "What changed, and how we know",
    problem: "Problem",
    method: "What we did",
    source: "Source",
  },
  quotes: "What clients and partners say",
} as const;
