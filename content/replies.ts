import type { Interest } from "#validation/contact";
import { brand } from "./brand.ts";

/** What a reply may say about the contact. `interest` is the label of the choice in the form. */
export interface ReplyWords {
  name: string;
  /** `replyWords.noCompany` if the form was sent without one. */
  company: string;
  interest: string;
}

interface ReplyTemplate {
  /** Ours alone: a subject from the visitor's own text could carry anything. */
  subject: string;
  /** About 900 characters at most, because mail programs open no longer link; `npm test` counts them. */
  text: (words: ReplyWords) => string;
}

const signature = `Kind regards
${brand.name}`;

/**
 * The words with which the inbox begins a reply: one template for each interest, and a short one for everything else. Words
 * in braces after a dollar sign are filled in for each contact.
 */
export const replies: Readonly<Record<Interest, ReplyTemplate>> & { general: ReplyTemplate & { label: string } } = {
  consulting: {
    subject: `Consulting with ${brand.name}`,
    text: ({ name, company }) => `Hello ${name},

thank you for writing to us. Before we talk, three questions help us prepare:

1. What should be different for ${company} in six months?
2. Which number would tell you so, and where does it stand today?
3. Who would work with us on your side?

A line for each is enough. If we are not the right people for it, we will say so. Which half hour suits you next week?

${signature}`,
  },
  "co-development": {
    subject: `Building a product with ${brand.name}`,
    text: ({ name }) => `Hello ${name},

thank you for writing to us. Before we talk, three questions help us prepare:

1. Who is the product for, and what do they use today?
2. What exists already: an idea, a prototype, first users?
3. Which part would you like to build yourselves?

A line for each is enough. If we are not the right people for it, we will say so. Which half hour suits you next week?

${signature}`,
  },
  partnerships: {
    subject: `A partnership with ${brand.name}`,
    text: ({ name, company }) => `Hello ${name},

thank you for thinking of us. Before we talk, two questions help us prepare:

1. Whom does ${company} reach, and through which channels?
2. What would each of us bring, and what would we share?

A line for each is enough. Which half hour suits you next week?

${signature}`,
  },
  general: {
    /** Its name in the inbox; the others have the name of their interest. */
    label: "Short answer",
    subject: `Your contact with ${brand.name}`,
    text: ({ name, interest }) => `Hello ${name},

thank you for writing to us about ${interest.toLowerCase()}. May we call you for half an hour next week? Two or three times that suit you are enough.

${signature}`,
  },
};

/** What the inbox says after a reply was opened. */
export const replyWords = {
  /** In place of a company. */
  noCompany: "your company",
  opened: (label: string) => `In your mail program: ${label}. Not there? Copy the text.`,
  handled: "Mark as handled",
  copy: "Copy text",
  copied: "Copied.",
  notCopied: "This browser did not let the text be copied.",
  dismiss: "Dismiss",
} as const;
