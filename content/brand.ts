/** The company. `npm run placeholders` lists what an owner must replace before going live. */
export const brand = {
  name: "Fernway",
  legalName: "Fernway Studio",
  /** One line about the company, for cards and lists. */
  tagline: "AI-driven marketing and product growth",
  /** `.example` is reserved, so that no mail reaches a stranger before this is replaced. */
  email: "hello@fernway.example",
  /** A privacy policy must name the address of the controller. */
  postalAddress: "1 Example Street, 12345 Example Town",
  /** The mobile app of the legal texts; also the first of the projects. */
  app: "Leaf & Trail",
  appAddress: "https://leaf-and-trail.example",
  /** docs/specification.md#fixed-texts */
  copyright: "© 2025 Fernway Studio",
} as const;
