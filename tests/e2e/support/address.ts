import { sitePort, testSiteSettings } from "../../support/site.ts";

/** Where the site under test answers in a browser. */
export const siteUrl = testSiteSettings.SITE_URL;
export { sitePort };
