export interface Service {
  /** The slug is part of an id in the public structured data, so it must not change once published. */
  slug: string;
  name: string;
  description: string;
  /** The plant that stands for the service. Without one it is the frond. */
  drawing?: ServiceDrawingName;
}

/**
 * The drawings to choose from: a frond that is half a bar chart, leaves with moving pictures, a plant that spreads to
 * new ground, two stems that grow together, a seed head whose seeds fly, and a plain frond.
 */
export type ServiceDrawingName = "chart" | "film" | "runner" | "twins" | "seeds" | "frond";

/** The services, in the order in which the landing page shows them. */
export const services: readonly Service[] = [
  {
    slug: "ai-marketing-consulting",
    name: "AI Marketing Consulting",
    description: "We automate what repeats and measure what brings customers: data-driven growth that lasts.",
    drawing: "chart",
  },
  {
    slug: "content-strategy",
    name: "Content Strategy & Creation",
    description: "Short-form video, organic campaigns and community channels, judged by what people watch to the end.",
    drawing: "film",
  },
  {
    slug: "go-to-market",
    name: "Go-to-Market Execution",
    description: "We plan your launch, test whether product and market fit, and take you abroad.",
    drawing: "runner",
  },
  {
    slug: "partnerships",
    name: "Partnerships & Co-Development",
    description: "We build products with founders: you know the field, we bring the rest, and share the risk.",
    drawing: "twins",
  },
];
