// This script is written into each page. With an import it would become a file to load, so the pattern of the session's
// key in the storage is repeated here.

/**
 * With a stored session, the link to the account takes the place of the login at once. The script in the template, run
 * after the first paint, then asks whether the session is valid and the person an administrator.
 */
const template = document.getElementById("account-link-template");
if (template instanceof HTMLTemplateElement && hasSession()) {
  for (const item of document.querySelectorAll<HTMLElement>("[data-for]")) item.hidden = item.dataset.for !== "members";
  // A browser does not load a script inside a template. (`import()` would need code of the bundler, which could not be
  // inlined into the page.)
  const run = () => template.replaceWith(document.importNode(template.content, true));
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint")[0]) run();
  }).observe({ type: "paint", buffered: true });
  // For a tab in the background, which paints nothing.
  setTimeout(run, 1000);
}

function hasSession(): boolean {
  try {
    return Object.keys(localStorage).some((name) => /^sb-.+-auth-token$/.test(name));
  } catch {
    return false;
  }
}
