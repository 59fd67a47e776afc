import { defineCollection } from "astro/content/config";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const text = z.string({ error: "must be a text; put a number in quotation marks" }).trim().min(1);

/** Readings of one kind in their order, such as 38 in January and 80 in June. */
const chart = z.strictObject({
  unit: text.optional(),
  readings: z.array(z.strictObject({ time: text, value: z.number().nonnegative() })).min(2),
});

/** What stands above the text of a file in `content/case-studies/`. A build names the file and line of a wrong field. */
const caseStudy = z.strictObject({
  /** What changed, as a claim. */
  title: text.max(80),
  /** A name, or what kind of company it is. */
  client: text,
  industry: text,
  problem: text,
  /** `time` and `source` let a reader check the figure. The first result and its chart are on the landing page. */
  results: z
    .array(z.strictObject({ value: text, label: text, time: text, source: text, chart: chart.optional() }))
    .min(1),
  quote: z.strictObject({ text, name: text, role: text }).optional(),
  /** `file` is a name in `content/pictures/`. */
  picture: z.strictObject({ file: text, alt: text }).optional(),
  /** The newest is the first. Without a day it is a draft. */
  published: z.date({ error: "must be a date such as 2026-01-15" }).nullish(),
});

export const collections = {
  caseStudies: defineCollection({
    loader: glob({ base: "./content/case-studies", pattern: "*.md", generateId: ({ entry }) => entry.slice(0, -3) }),
    schema: caseStudy,
  }),
};

export type CaseStudyFields = z.infer<typeof caseStudy>;
