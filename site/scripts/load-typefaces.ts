import { firstPaint } from "./first-paint";

/**
 * A page without typefaces in it is painted in the fallback fonts, so that no request delays it
 * (docs/decisions/typefaces-are-optional.md). Then this script loads them. They are shown at once if no text moves, and
 * from the start on the next pages of this tab.
 */
const root = document.documentElement;
if (!root.hasAttribute("data-typefaces")) firstPaint().then(loadTypefaces);

async function loadTypefaces() {
  const style = getComputedStyle(root);
  const families = ["--font-fraunces", "--font-figtree"].map((name) => style.getPropertyValue(name).split(",")[0]);
  // A browser may refuse typefaces from the network. Then the fallback fonts stay, without an error.
  await Promise.allSettled(families.map((family) => document.fonts.load(`600 1em ${family}`)));
  const before = heights();
  root.toggleAttribute("data-typefaces", true);
  if (heights() !== before) root.toggleAttribute("data-typefaces", false);
}

/** A paragraph that breaks into more or fewer lines has another height. */
function heights(): string {
  return Array.from(document.querySelectorAll("body *"), ({ clientHeight }) => clientHeight).join();
}
