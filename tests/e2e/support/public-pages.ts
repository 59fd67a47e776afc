import type { Page } from "@playwright/test";
import { publicPages } from "../../support/built-site.ts";
import { expect, expectConsoleError } from "./fixtures.ts";

/** The pages that need no session, and an unknown path. */
export const publicPaths = [...publicPages.map(({ path }) => path), "/no/such/path"];

/** Opens a page and waits for hydration: before it, some controls are disabled and the checks would skip them. */
export async function openHydrated(page: Page, path: string) {
  if (path === "/no/such/path") for (const part of [path, "404"]) expectConsoleError(part);
  await page.goto(path);
  const islands = page.locator("astro-island");
  if ((await islands.count()) === 0) return;
  await islands.first().scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr], main button:disabled")).toHaveCount(0);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}
