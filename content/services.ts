export interface Service {
  /** The slug is part of an id in the public structured data, so it must not change once published. */
  slug: "ai-marketing-consulting" | "content-strategy" | "go-to-market" | "partnerships";
  name: string;
  description: string;
}

/** The services, in the order in which the landing page shows them. */
export const services: readonly Service[] = [
  {
    slug: "ai-marketing-consulting",
    name: "AI Marketing Consulting",
    description:
      "We automate the work your marketing repeats every week, and build the numbers that show which of it to keep: data-driven growth, explained until you could run it without us.",
  },
  {
    slug: "content-strategy",
    name: "Content Strategy & Creation",
    description:
      "Short-form video, organic campaigns and community channels, planned together and made in one place. You learn what was watched to the end, and why.",
  },
  {
    slug: "go-to-market",
    name: "Go-to-Market Execution",
    description:
      "We plan the launch, check that the product fits its market before you spend on it, and take it abroad one country at a time.",
  },
  {
    slug: "partnerships",
    name: "Partnerships & Co-Development",
    description:
      "You bring the idea and know the field. We bring product, marketing and automation, and build it with you: shared risk, shared result, both names on the door.",
  },
];
