/** The company. `npm run placeholders` lists what an owner must replace before going live. */
export const brand = {
  name: "Fernway",
  legalName: "Fernway Studio",
  /** One line about the company, for the preview image of shared links and for metadata. */
  tagline: "AI-driven marketing and product growth",
  /** Nobody can own a domain under `.example`, so until an owner replaces this address, no mail reaches a stranger. */
  email: "hello@fernway.example",
  /** A privacy policy must name the address of the controller. */
  postalAddress: "1 Example Street, 12345 Example Town",
  /** The mobile app that the legal texts are about; it is also the first project on the landing page. */
  app: "Leaf & Trail",
  appAddress: "https://leaf-and-trail.example",
  /** This text is fixed (docs/specification.md#fixed-texts). */
  copyright: "© 2025 Fernway Studio",
} as const;
