/** What shows that a line is as shipped, and what to think of there. */
type PlaceholderPattern = readonly [pattern: RegExp, reason: string];

export interface PlaceholderKind {
  files: RegExp;
  patterns: readonly PlaceholderPattern[];
  /** A line below a comment with one of these words is one that the owner has dealt with. */
  settledBy?: RegExp;
}

/** What an owner must replace in any file of `content/`. */
const placeholders: readonly PlaceholderPattern[] = [
  [/\.example\b/, "an address that is reserved and reaches nobody"],
  [/\bFernway\b/, "the company's placeholder name"],
  [/\bExample (Street|Town)\b/, "a postal address that does not exist"],
  [/\bExample (client|Person)\b|ships with the website/, "a case study of a client that does not exist"],
  [/\b(Leaf & Trail|Spot & Recall|Atlas Quest)\b/, "a product's placeholder name"],
];

/**
 * Sentences that a competitor or a consumer may ask an owner to prove. The first ones ship with this product and are
 * true of nobody yet; the last two find what is usually written instead.
 */
const claims: readonly PlaceholderPattern[] = [
  [/products (of our own|we own)|our own product/, "says that you own products"],
  [/pay for each/, "says that you build each project, and pay for it"],
  [/[Ii]n development/, "says how far a project is"],
  [/scale products internationally|country by country/, "says that you work in several countries"],
  [/monthly views/, "a number that you must be able to prove"],
  [/strategies(", "| )that (work|scale)/, "promises a result"],
  [/[Ss]hared? (the )?risk/, "promises that you bear a part of the risk"],
  [/[Hh]alf an hour, free|[Ii]t is free/, "an offer that you must keep"],
  [/No scoring, no automated replies/, "says how you read what people send"],
  [
    /\b\d[\d.,]*\s?(%|\+|×|x\b|(percent|times|clients|customers|companies|brands|countries|markets|years|users|downloads|million)\b)/i,
    "a number that you must be able to prove",
  ],
  [
    /\b(award|certified|guarantee|leading|market leader|number one|proven|trusted by)/i,
    "praise that you must be able to prove",
  ],
];

/** Sentences that say what the company believes. */
const creed: readonly PlaceholderPattern[] = [
  [/we measure what we grow/, "the motto in the footer"],
  [/Growth should be organic/, "what you believe, in large letters"],
  [/the kind that lasts/, "what you help to build"],
];

/** Dates and clauses of `content/` that ship with this product, and that depend on the company and its country. */
const legal: readonly PlaceholderPattern[] = [
  [/copyrightYear: "2025"/, "the year in the footer"],
  [/"0[15]\.09\.2025"/, "when the text took effect and was last changed: set them with the text"],
  [/sections: \[\]/, "no imprint: fill it in if the law asks for one, as in Germany and Austria"],
  [/(make|is) \{app\}/, "says who you are, and that you make an app"],
  [/\{contactMonths\} months/, "how long you keep what: compare it with what you really do"],
  [/run our servers/, "your providers: know their names, and have a contract with each"],
  [/load nothing from other companies/, "true of the site as it ships; not with a map, a video or statistics"],
  [/\b13 or over\b|\baged 13\b/, "the age from which people may use it: your country may set another"],
  [/data protection authority/, "the authority for data protection where you are"],
  [/liable for wilful/, "what you are liable for: your country may set another rule"],
  [/law of the country/, "the law and the courts that apply"],
];

const settledBy = /\b(proof|checked):/i;

export const placeholderKinds = {
  toReplace: { files: /./, patterns: placeholders },
  // The files whose sentences visitors read as facts about the company.
  toProve: {
    files:
      /^content\/(case-studies\/.+\.md|(landing|services|projects|page-titles|contact|why-work-with-us|proof|replies)\.ts)$/,
    patterns: claims,
    settledBy,
  },
  creed: { files: /./, patterns: creed, settledBy },
  clauses: { files: /^content\/(brand\.ts|imprint\.ts|legal)/, patterns: legal, settledBy },
} satisfies Record<string, PlaceholderKind>;
