import type { ClientDirective } from "astro";
import { firstPaint } from "./first-paint";

declare module "astro" {
  interface AstroClientDirectives {
    "client:painted"?: boolean;
  }
}

const parsed = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));

/**
 * Hydrates an island that is in view at once: `<Island client:painted />`. Its scripts do not delay the first paint, and run
 * after those of the page: capture-mailed-link.ts comes before the sign-in screen, even if the end of the page is late.
 */
const hydrateAfterPaint: ClientDirective = async (load) => {
  await Promise.all([parsed, firstPaint()]);
  const hydrate = await load();
  await hydrate();
};

export default hydrateAfterPaint;
