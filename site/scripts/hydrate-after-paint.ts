import type { ClientDirective } from "astro";
import { firstPaint } from "./first-paint";

declare module "astro" {
  interface AstroClientDirectives {
    "client:painted"?: boolean;
  }
}

/** Hydrates an island that is in view at once: `<Island client:painted />`. Its scripts do not delay the first paint. */
const hydrateAfterPaint: ClientDirective = async (load) => {
  await firstPaint();
  const hydrate = await load();
  await hydrate();
};

export default hydrateAfterPaint;
