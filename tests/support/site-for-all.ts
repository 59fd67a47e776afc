import { readSettings } from "#server/settings";
import { ensureBuilt } from "#server/site/build";
import { testSiteSettings } from "./site.ts";

/** The site that every server under test shows, built before the first of them starts. */
export default async function setup() {
  const settings = readSettings({ ...process.env, ...testSiteSettings });
  await ensureBuilt(settings, () => process.stdout.write("Building the site for the tests.\n"));
}
