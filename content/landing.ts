/** Texts of the landing page. `label` is the name of a section, `claim` its headline. */
export const hero = {
  /** The headline in two parts; the second is underlined. */
  headline: ["Scaling companies with AI strategies", "that work"],
  lead: "Alongside your team we find what drives growth, automate routine work and measure the results.",
  workWithUs: { label: "Work With Us", href: "/#contact" },
  seeOurWork: { label: "See Our Work", href: "/#current-projects" },
  /** The picture is a chart: the name of its vertical axis, and three to six steps of how the company works. */
  figure: "A bar chart of the steps, and a fern frond that grows along its bars",
  axis: "Growth",
  steps: ["Join", "Find", "Automate", "Measure", "Hand over"],
  caption: "From the first meeting to the day we leave.",
} as const;

export const about = {
  label: "About Us",
  claim: "Growth should be organic, sustainable and scalable.",
  continuation: "We help you build the kind that lasts.",
  principles: [
    {
      name: "We join your team",
      text: "We partner with entrepreneurs and startups, and use the tools you have.",
    },
    {
      name: "AI comes first",
      text: "Our AI-first marketing framework leaves to machines what they do best.",
    },
    {
      name: "We work across borders",
      text: "We scale products internationally, one tested market at a time.",
    },
    {
      name: "We take our own advice",
      text: "We build our own product portfolio, and try each method there first.",
    },
  ],
} as const;

export const servicesIntroduction = {
  label: "Services",
  claim: "Choose the help you need",
  lead: "Take one, or combine several.",
  call: { label: "Book a Strategy Call", href: "/#contact-consulting" },
  /** A link beside the button, if there is an address, such as that of your calendar at a booking service. */
  calendar: { label: "Or choose a time yourself", href: "" },
  callTerms: "Half an hour, free, without slides.",
} as const;

export const caseStudiesIntroduction = {
  label: "Case Studies",
  claim: "We test our methods on products we own",
  projects: "Current Projects",
} as const;

export const contactIntroduction = {
  label: "Contact Us",
  claim: "Let’s talk about what you want to grow",
  lead: "Four short answers are enough.",
} as const;
