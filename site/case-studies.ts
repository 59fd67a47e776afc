import { getCollection } from "astro:content";
import { brand } from "#content/brand";
import type { PageWords } from "#content/page-titles";
import type { CaseStudyFields } from "./content.config";
import { buildPicture, placePictures } from "./pictures/build-pictures";
import type { BuiltPicture } from "./pictures/picture";

export interface CaseStudy extends Omit<CaseStudyFields, "picture" | "published"> {
  page: PageWords;
  picture: BuiltPicture | undefined;
  /** Its text as HTML. */
  html: string;
}

interface Entry {
  /** The name of the file without its ending. */
  id: string;
  data: CaseStudyFields;
  rendered?: { html: string };
}

/** A build sets it. A variable DEV of the environment would change `import.meta.env.DEV`, and publish drafts. */
const isDevelopment = process.env.NODE_ENV === "development";

/**
 * Returns the case studies of `content/case-studies/`, the newest first. One that has no day is a draft: only the
 * development server shows it, as published now.
 */
export async function readCaseStudies(): Promise<CaseStudy[]> {
  const entries: Entry[] = await getCollection("caseStudies");
  const shown = entries.flatMap(({ data: { published, ...fields }, ...entry }) => {
    const day = published ?? (isDevelopment ? new Date() : undefined);
    return day ? [{ ...entry, fields, published: day }] : [];
  });
  const newestFirst = shown.toSorted((a, b) => b.published.valueOf() - a.published.valueOf());
  return Promise.all(
    newestFirst.map(async ({ id, published, fields: { picture, ...fields }, rendered }) => {
      const built = picture && (await buildPicture(picture.file, picture.alt));
      const page = {
        path: `/case-studies/${id}`,
        title: `${fields.title} – ${brand.name}`,
        description: fields.problem,
        article: { headline: fields.title, published },
      };
      return { ...fields, page, picture: built, html: await placePictures(rendered?.html ?? "") };
    }),
  );
}
