/** Who the site speaks for. Everything an owner must make their own before going live is in this file. */
export const brand = {
  name: "Fernway",
  legalName: "Fernway Studio",
  /** `.example` is reserved: until this is changed, no letter reaches a stranger. */
  email: "hello@fernway.example",
  /** The mobile app that the legal texts speak of; also the first of the projects. */
  app: "Leaf & Trail",
  appAddress: "https://leaf-and-trail.example",
  /** Fixed by the specification (section 9). */
  copyright: "© 2025 Fernway Studio",
} as const;
