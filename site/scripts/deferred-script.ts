/**
 * Runs a script that a page keeps in a `<template>`, where it costs a visitor who does not need it nothing. Resolves when
 * it has run. (`import()` would do the same, but what a bundler adds to it could not be part of the page itself.)
 */
export function runDeferredScript(templateId: string): Promise<void> {
  const template = document.getElementById(templateId);
  const script =
    template instanceof HTMLTemplateElement && document.importNode(template.content, true).firstElementChild;
  return new Promise((done, fail) => {
    if (!script) return;
    script.addEventListener("load", () => done());
    script.addEventListener("error", fail);
    document.body.append(script);
  });
}
