/**
 * The imprint (German: Impressum), which the law of Germany and Austria asks of every company's website. The page
 * `/imprint` and its links exist as soon as there is a section here.
 */
export const imprint: { title: string; sections: readonly ImprintSection[] } = {
  title: "Imprint",
  sections: [],
};

interface ImprintSection {
  heading: string;
  /** One line each, such as a name, a street or a number of a register. An email address becomes a link. */
  lines: readonly string[];
}
