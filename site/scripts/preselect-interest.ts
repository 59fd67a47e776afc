/**
 * Links such as `/#contact-partnerships` lead to the contact form and choose an interest there
 * (docs/specification.md#interest-in-the-address). The radio buttons are native and uncontrolled, so this works before
 * hydration, and React keeps the choice.
 */
const form = document.querySelector("#contact form");
let chosenByLink: HTMLInputElement | undefined;

form?.addEventListener("change", () => {
  chosenByLink = undefined;
});
// A click, because the address does not change if the same link is clicked again after the form was sent.
document.addEventListener("click", ({ target }) => {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href*="#contact-"]');
  if (link) choose(link.hash);
});
// After a reload, or on the way back, the browser and the draft restore what the visitor had chosen.
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
if (visit?.type === "navigate") choose(location.hash);

/** The choice of a visitor stays, that of an earlier link does not. */
function choose(hash: string) {
  const interest = hash.replace("#contact-", "");
  const radios = form?.querySelectorAll<HTMLInputElement>("[name=interest]") ?? [];
  const chosen = [...radios].find(({ checked }) => checked);
  const wanted = [...radios].find(({ value }) => value === interest);
  if (!wanted || (chosen && chosen !== chosenByLink)) return;
  wanted.checked = true;
  chosenByLink = wanted;
}
