/**
 * Adds the content of a `<template>` to the page and resolves when its script has run. A browser does not load a script
 * inside a template. (`import()` would need code of the bundler, which could not be inlined into the page.)
 */
export function runTemplate(id: string): Promise<void> {
  const template = document.getElementById(id);
  const content = template instanceof HTMLTemplateElement && document.importNode(template.content, true);
  return new Promise((resolve, reject) => {
    if (!content) return;
    const script = content.querySelector("script");
    script?.addEventListener("load", () => resolve());
    script?.addEventListener("error", reject);
    document.body.append(content);
  });
}
