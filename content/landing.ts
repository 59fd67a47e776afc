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
      text: "We partner with entrepreneurs and startups: we use your tools and join your meetings. You keep the knowledge when we leave.",
    },
    {
      name: "AI comes first",
      text: "For every task, our AI-first marketing framework asks whether a machine can do it well. If it can, the machine takes over, and your people have time for the rest.",
    },
    {
      name: "We work across borders",
      text: "We scale products internationally. We test language, channel and price in each market, because translation alone is not enough.",
    },
    {
      name: "We take our own advice",
      text: "We build a product portfolio of our own with the same methods, so we test them on ourselves first.",
    },
  ],
} as const;

export const servicesIntroduction = {
  label: "Services",
  claim: "Choose the help you need",
  lead: "Take one service, or combine several. If you are not sure, start with a call and we will work it out together.",
  call: { label: "Book a Strategy Call", href: "/#contact-consulting" },
  /** A link beside the button, if there is an address, such as that of your calendar at a booking service. */
  calendar: { label: "Or choose a time yourself", href: "" },
  callTerms: "A free half-hour call, without slides. Fill in the short form, and we will email you to arrange a time.",
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
