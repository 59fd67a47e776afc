/** Markup that `html` does not escape again. */
class Markup extends String {}

type Value = string | Markup | readonly (string | Markup)[];

/** A tag for template literals that escapes their values, except the results of other `html` templates. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const escapedValues = values.map((value) => (Array.isArray(value) ? value : [value]).map(escaped).join(""));
  return new Markup(parts.map((part, index) => part + (escapedValues[index] ?? "")).join(""));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(value: string | Markup): string {
  if (value instanceof Markup) return value.toString();
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
