import type { Page } from "@playwright/test";
import { pages } from "#content/pages";
import { expect, expectConsoleError } from "./fixtures.ts";

/** Every page that a visitor can ask for. The admins' pages send strangers away; their own tests look at them. */
const listedPages = pages.filter(({ path, anywhere }) => !anywhere && !path.startsWith("/admin/"));

/** The same, and what answers where there is no page. */
export const publicPaths = [...listedPages.map(({ path }) => path), "/no/such/path"];

/** Opens a page and waits until its islands are awake: what is disabled before that would be missing. */
export async function openHydrated(page: Page, path: string) {
  if (path === "/no/such/path") for (const part of [path, "404"]) expectConsoleError(part);
  await page.goto(path);
  const islands = page.locator("astro-island");
  if ((await islands.count()) === 0) return;
  await islands.first().scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr], main button:disabled")).toHaveCount(0);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}
