import { existsSync } from "node:fs";
import { defineCollection } from "astro/content/config";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const text = z.string().trim().min(1);

/** What stands above the text of a file in `content/case-studies/`. A build names the file and line of a wrong field. */
const caseStudy = z.strictObject({
  /** What changed, as a claim. */
  title: text.max(80),
  /** A name, or what kind of company it is. */
  client: text,
  branch: text,
  problem: text,
  /** `time` and `source` let a reader check the figure. The first result is the one on the landing page. */
  results: z.array(z.strictObject({ value: text, label: text, time: text, source: text })).min(1),
  quote: z.strictObject({ text, name: text, role: text }).optional(),
  picture: z
    .strictObject({
      file: text.refine((file) => existsSync(`content/pictures/${file}`), "is not a file in content/pictures/"),
      alt: text,
    })
    .optional(),
  /** The newest is the first. */
  published: z.coerce.date(),
});

export const collections = {
  caseStudies: defineCollection({
    loader: glob({ base: "./content/case-studies", pattern: "*.md" }),
    schema: caseStudy,
  }),
};

export type CaseStudyFields = z.infer<typeof caseStudy>;
