/** The company. `npm run placeholders` lists what an owner must replace before going live. */
export const brand = {
  name: "Fernway",
  legalName: "Fernway Studio",
  /** One line about the company, for the preview image of shared links and for metadata. */
  tagline: "AI-driven marketing and product growth",
  /** The sentence in the footer. */
  motto: "We grow things, and we measure what we grow.",
  /** No one can register a domain under `.example`, so until an owner replaces this address, no mail reaches a stranger. */
  email: "hello@fernway.example",
  /** A privacy policy must name the address of the controller. */
  postalAddress: "1 Example Street, 12345 Example Town",
  /** The mobile app that the legal texts are about; it is also the first project on the landing page. "" for none. */
  app: "Leaf & Trail",
  appAddress: "https://leaf-and-trail.example",
  /** The year in the footer. */
  copyrightYear: "2025",
  /** This text is fixed (docs/specification.md#fixed-texts). */
  get copyright() {
    return `© ${this.copyrightYear} ${this.legalName}`;
  },
} as const;

/** All other colours of pages, drawings, icons, social card and mails are made from these (`site/styles/colours.ts`). */
export const brandColours: BrandColours = {
  primary: "#2a6248",
  highlight: "#c8f169",
};

/** Each colour is # and six hexadecimal digits. */
export interface BrandColours {
  /** Links, buttons and leaves. */
  primary: string;
  /** The one bright accent. Text on it is in the colour of ink. */
  highlight: string;
  /** Text, and dark grounds. Without it: a near-black of the primary colour's hue. */
  ink?: string;
  /** The ground of the pages. Without it: a warm white. */
  paper?: string;
}
