import { html } from "#server/escape-html";

/**
 * Changes the first tag that has this attribute in HTML of a built page. React and Astro escape `<` and `>` in attributes,
 * so a tag ends at the first `>`.
 */
export function changeTag(page: string, attribute: string, change: (tag: string) => string): string {
  return page.replace(new RegExp(`<\\w[^<>]* ${attribute}(?![\\w-])[^<>]*>`), change);
}

/** Puts a text into the empty element that has this attribute. What a visitor typed never becomes markup (XSS). */
export function fillText(page: string, attribute: string, text: string): string {
  return changeTag(page, attribute, (tag) => tag + html`${text}`);
}

/** Adds an attribute to a tag, or replaces its value. */
export function withAttribute(tag: string, name: string, value: string): string {
  const without = tag.replace(new RegExp(` ${name}="[^"]*"`), "");
  return without.replace(/\s*\/?>$/, (end) => ` ${name}="${html`${value}`}"${end}`);
}
