/** Who the site speaks for. `npm run placeholders` lists what an owner must make their own before going live. */
export const brand = {
  name: "Fernway",
  legalName: "Fernway Studio",
  /** What it does, in one line: for cards and lists that show the name alone. */
  tagline: "AI-driven marketing and product growth",
  /** `.example` is reserved: until this is changed, no letter reaches a stranger. */
  email: "hello@fernway.example",
  /** Whoever is responsible for people's information must say where they can be found. */
  postalAddress: "1 Example Street, 12345 Example Town",
  /** The mobile app that the legal texts speak of; also the first of the projects. */
  app: "Leaf & Trail",
  appAddress: "https://leaf-and-trail.example",
  /** Fixed by the specification (section 9). */
  copyright: "© 2025 Fernway Studio",
} as const;
