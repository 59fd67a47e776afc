import type { ClientDirective } from "astro";
import { findStorageProblem } from "../supabase/browser-storage";
import { firstPaint } from "./first-paint";

declare module "astro" {
  interface AstroClientDirectives {
    "client:painted"?: boolean;
  }
}

/** What the pages for members need and older browsers lack: tests/built-pages/browser-floor.test.ts compares. */
const needed = [
  String.prototype.toWellFormed,
  Array.prototype.findLast,
  Map.groupBy,
  URL.canParse,
  HTMLElement.prototype.showPopover,
  HTMLFormElement.prototype.requestSubmit,
];
let problem: Problem = needed.every(Boolean) ? findStorageProblem() : "unsupported";
say(problem);

const parsed = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));

/**
 * Hydrates an island that is in view at once: `<Island client:painted />`. Its scripts do not delay the first paint, and run
 * after those of the page: take-mailed-link.ts comes before the sign-in screen, even if the end of the page is late.
 */
const hydrateAfterPaint: ClientDirective = async (load, _options, island) => {
  if (problem) return;
  await parsed;
  keepEarlySubmit(island);
  // Astro has tried twice by then; client.ts reports the library of the calls.
  for (const event of ["astro:hydration-error", "script-lost", "library-lost"]) addEventListener(event, lose);
  addEventListener("library-found", find);
  await firstPaint();
  const hydrate = await load();
  await hydrate();
};

/** Keeps a press of Enter or of the button that comes before hydration, and repeats it then. */
function keepEarlySubmit(island: HTMLElement) {
  const button = island.querySelector<HTMLButtonElement>("[type=submit]");
  const form = button?.form;
  if (!form) return;
  let isEarly = false;
  const keep = (event: Event) => {
    event.preventDefault();
    isEarly = true;
    say(problem || "waiting");
  };
  form.addEventListener("submit", keep);
  // If the button is disabled, a browser ignores Enter.
  button.disabled = false;
  new MutationObserver((_, hydration) => {
    hydration.disconnect();
    form.removeEventListener("submit", keep);
    if (!isEarly) return;
    say(problem);
    form.requestSubmit();
  }).observe(island, { subtree: true, attributeFilter: ["data-hydrated"] });
}

/** Whether a script is missing that only a reload of the page brings. The library is loaded again at the next call. */
let needsReload = false;

function lose({ type }: Event) {
  if (type !== "library-lost") needsReload = true;
  problem = "notLoaded";
  say(problem);
}

function find() {
  if (needsReload) return;
  problem = findStorageProblem();
  say(problem);
}

type Problem = ReturnType<typeof findStorageProblem> | "unsupported" | "notLoaded";

/** Shows or hides what the header says at once (site/sections/work-header.tsx). */
function say(what: Problem | "waiting") {
  const box = document.getElementById("page-problem");
  const [text, reload] = Array.from(box?.children ?? []) as HTMLElement[];
  if (!box || !text || !reload) return;
  box.style.animation = "none";
  box.hidden = !what;
  text.textContent = box.dataset[what] ?? text.textContent;
  reload.hidden = false;
  reload.onclick = () => location.reload();
}

export default hydrateAfterPaint;
