/** Texts of the landing page. `label` is the name of a section, `claim` its headline. */
export const hero = {
  /** The lines of the headline; the last one is underlined. */
  headline: ["Scaling companies", "with AI strategies", "that work"],
  lead: "We work alongside your team to find what drives growth, automate routine work and measure results. We also build products of our own.",
  workWithUs: { label: "Work With Us", href: "/#contact" },
  seeOurWork: { label: "See Our Work", href: "/#current-projects" },
  /** The picture is a chart: the name of its vertical axis, and three to six steps of how the company works. */
  figure: "A bar chart of the steps, each higher than the one before, and a fern frond growing along the bars",
  axis: "Growth",
  steps: ["Join", "Find", "Automate", "Measure", "Hand over"],
  caption: "Fig. 1. How we work, from the first meeting to the day your team carries on without us.",
} as const;

export const about = {
  label: "About Us",
  claim: "Growth should be organic, sustainable and scalable.",
  continuation: "We help you build the kind that lasts.",
  principles: [
    {
      name: "We join your team",
      text: "We partner with entrepreneurs and startups, use your tools and join your meetings. You keep the knowledge when we leave.",
    },
    {
      name: "AI comes first",
      text: "Our AI-first marketing framework asks of every task whether a machine can do it well. If it can, your people have time for the rest.",
    },
    {
      name: "We work across borders",
      text: "We scale products internationally, and test language, channel and price in each market.",
    },
    {
      name: "We take our own advice",
      text: "We build a product portfolio of our own, so we test our methods on ourselves first.",
    },
  ],
} as const;

export const servicesIntroduction = {
  label: "Services",
  claim: "Choose the help you need",
  lead: "Take one service or combine several. If you are not sure, start with a call.",
  call: { label: "Book a Strategy Call", href: "/#contact-consulting" },
  /** A link beside the button, if there is an address, such as that of your calendar at a booking service. */
  calendar: { label: "Or choose a time yourself", href: "" },
  callTerms: "A free half-hour call, without slides. After the short form we find a time by email.",
} as const;

export const caseStudiesIntroduction = {
  label: "Case Studies",
  claim: "We test our methods on products we own",
  lead: "We build and pay for each of these ourselves. You benefit from what they teach us about growth.",
  projects: "Current Projects",
} as const;

export const contactIntroduction = {
  label: "Contact Us",
  claim: "Let’s talk about what you want to grow",
  lead: "Four short answers are enough to get started.",
} as const;
