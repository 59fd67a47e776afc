import { getCollection } from "astro:content";
import { brand } from "#content/brand";
import type { PageWords } from "#content/page-titles";
import type { CaseStudyFields } from "./content.config";
import { buildPicture, placePictures } from "./pictures/build-pictures";
import type { BuiltPicture } from "./pictures/picture";

export interface CaseStudy extends Omit<CaseStudyFields, "picture"> {
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

/** Returns the case studies of `content/case-studies/`, the newest first. */
export async function readCaseStudies(): Promise<CaseStudy[]> {
  const entries: Entry[] = await getCollection("caseStudies");
  const newestFirst = entries.toSorted((a, b) => b.data.published.valueOf() - a.data.published.valueOf());
  return Promise.all(
    newestFirst.map(async ({ id, data: { picture, ...fields }, rendered }) => {
      const built = picture && (await buildPicture(picture.file, picture.alt));
      const page = {
        path: `/case-studies/${id}`,
        title: `${fields.title} – ${brand.name}`,
        description: fields.problem,
        article: { headline: fields.title, published: fields.published },
      };
      return { ...fields, page, picture: built, html: await placePictures(rendered?.html ?? "") };
    }),
  );
}
