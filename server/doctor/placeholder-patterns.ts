interface PlaceholderPattern {
  pattern: RegExp;
  reason: string;
}

export interface PlaceholderKind {
  files: RegExp;
  patterns: readonly PlaceholderPattern[];
  /** A line below a comment with one of these words is one that the owner has dealt with. */
  settledBy?: RegExp;
}

/** What an owner must replace in any file of `content/`. */
const placeholders: readonly PlaceholderPattern[] = [
  { pattern: /\.example\b/, reason: "an address that is reserved and reaches nobody" },
  { pattern: /\bFernway\b/, reason: "the company's placeholder name" },
  { pattern: /\bExample (Street|Town)\b/, reason: "a postal address that does not exist" },
  { pattern: /\b(Leaf & Trail|Spot & Recall|Atlas Quest)\b/, reason: "a product's placeholder name" },
];

/**
 * Sentences that a competitor or a consumer may ask an owner to prove. The first ones ship with this product and are
 * true of nobody yet; the last two find what is usually written instead.
 */
const claims: readonly PlaceholderPattern[] = [
  { pattern: /products (of our own|we own)|product portfolio of our own/, reason: "says that you own products" },
  { pattern: /pay for each of these ourselves/, reason: "says that you build each project, and pay for it" },
  { pattern: /[Ii]n development/, reason: "says how far a project is" },
  {
    pattern: /scale products internationally|one country at a time/,
    reason: "says that you work in several countries",
  },
  { pattern: /monthly views/, reason: "a number that you must be able to prove" },
  { pattern: /strategies(", "| )that (work|scale)/, reason: "promises a result" },
  { pattern: /[Ss]hare(d| the) risk/, reason: "promises that you bear a part of the risk" },
  { pattern: /free half-hour|[Ii]t is free/, reason: "an offer that you must keep" },
  { pattern: /No scoring and no automated replies/, reason: "says how you read what people send" },
  {
    pattern:
      /\b\d[\d.,]*\s?(%|\+|×|x\b|(percent|times|clients|customers|companies|brands|countries|markets|years|users|downloads|million)\b)/i,
    reason: "a number that you must be able to prove",
  },
  {
    pattern: /\b(award|certified|guarantee|leading|market leader|number one|proven|trusted by)/i,
    reason: "praise that you must be able to prove",
  },
];

/** Sentences that say what the company believes. */
const creed: readonly PlaceholderPattern[] = [
  { pattern: /we measure what we grow/, reason: "the motto in the footer" },
  { pattern: /Growth should be organic/, reason: "what you believe, in large letters" },
  { pattern: /the kind that lasts/, reason: "what you help to build" },
];

/** Dates and clauses of `content/` that ship with this product, and that depend on the company and its country. */
const legal: readonly PlaceholderPattern[] = [
  { pattern: /copyrightYear: "2025"/, reason: "the year in the footer" },
  { pattern: /"0[15]\.09\.2025"/, reason: "when the text took effect and was last changed: set them with the text" },
  { pattern: /sections: \[\]/, reason: "no imprint: fill it in if the law asks for one, as in Germany and Austria" },
  { pattern: /(make|is) \{app\}/, reason: "says who you are, and that you make an app" },
  { pattern: /\{contactMonths\} months/, reason: "how long you keep what: compare it with what you really do" },
  { pattern: /run our servers/, reason: "your providers: know their names, and have a contract with each" },
  {
    pattern: /load nothing from other companies/,
    reason: "true of the site as it ships; not with a map, a video or statistics",
  },
  {
    pattern: /\b13 or over\b|\baged 13\b/,
    reason: "the age from which people may use it: your country may set another",
  },
  { pattern: /data protection authority/, reason: "the authority for data protection where you are" },
  { pattern: /liable for wilful/, reason: "what you are liable for: your country may set another rule" },
  { pattern: /law of the country/, reason: "the law and the courts that apply" },
];

const settledBy = /\b(proof|checked):/i;

export const placeholderKinds = {
  toReplace: { files: /./, patterns: placeholders },
  // The files whose sentences visitors read as facts about the company.
  toProve: {
    files: /^content\/(landing|services|projects|pages|contact|reasons|proof)\.ts$/,
    patterns: claims,
    settledBy,
  },
  creed: { files: /./, patterns: creed, settledBy },
  clauses: { files: /^content\/(brand\.ts|imprint\.ts|legal)/, patterns: legal, settledBy },
} satisfies Record<string, PlaceholderKind>;
