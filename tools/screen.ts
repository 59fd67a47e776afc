import type { Page } from "@playwright/test";

/** A screenshot: the address, the session, and the actions before the picture. */
export interface Screen {
  name: string;
  path: string;
  as?: "admin" | "member";
  withoutJavaScript?: true;
  media?: "print";
  forcedColors?: "active";
  /** The picture is taken only at widths below this, in pixels. */
  narrowerThan?: number;
  act?: (page: Page) => Promise<void>;
  /**
   * Takes a picture of each part that these selectors name. Without parts it takes the full page, or with `windowOnly`
   * the window.
   */
  parts?: Readonly<Record<string, string>>;
  windowOnly?: true;
}

export const contactsCall = "**/rest/v1/contacts*";
