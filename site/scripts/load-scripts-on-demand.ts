// Runs the scripts in two `<template>`s, which few visits need. This script itself is written into each page. With an
// import it would become a file to load, so the keys of the storage are repeated here.

/**
 * The template of the flash message runs if there is a message to show: a stored one, or the outcome of a mailed link to
 * the API. For such a link the API redirects to the landing page, with a session, an error or a message in the fragment
 * (docs/protocol.md#links-at-the-api). That fragment is moved at once to the state of the history entry, before another
 * script can read the tokens in it; there it survives a reload. A link that leads to another page of the site goes on to
 * the landing page, so that one place decides what becomes of its tokens.
 */
const message = "flash-message-template";
const isLink = /[#&](access_token|error|message)=/.test(location.hash);

if (document.getElementById(message)) {
  if (isLink) history.replaceState({ link: location.hash }, "", location.pathname + location.search);
  if (history.state?.link || hasStored("sessionStorage", /^flash-message$/))
    runTemplate(message, () => {
      document.getElementById("flash-message")?.showPopover?.();
      document.querySelector("[data-next]")?.addEventListener("click", () => location.reload());
    });
} else if (isLink) location.replace(`/${location.hash}`);

/**
 * With a stored session, the link to the account takes the place of the login at once. The other template's script, run
 * after the first paint, then asks whether the session is valid and the person an administrator.
 */
const accountLink = "account-link-template";
if (document.getElementById(accountLink) && hasStored("localStorage", /^sb-.+-auth-token$/)) {
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== "members";
  const run = () => runTemplate(accountLink);
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint")[0]) run();
  }).observe({ type: "paint", buffered: true });
  // For a tab in the background, which paints nothing.
  setTimeout(run, 1000);
}

function hasStored(area: "localStorage" | "sessionStorage", key: RegExp): boolean {
  try {
    return Object.keys(window[area]).some((name) => key.test(name));
  } catch {
    return false;
  }
}

/**
 * Puts the content of a template in its place, once, and calls `lost` if its script cannot be loaded. A browser does not
 * load a script inside a template. (`import()` would need code of the bundler, which could not be inlined into the page.)
 */
function runTemplate(id: string, lost = () => {}) {
  const template = document.getElementById(id);
  if (!(template instanceof HTMLTemplateElement)) return;
  const content = document.importNode(template.content, true);
  content.querySelector("script")?.addEventListener("error", lost);
  template.replaceWith(content);
}
