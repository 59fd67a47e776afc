import { Features, type Targets, transform } from "lightningcss";
import { optimize, type PluginConfig } from "svgo";
import { withOwnHashes } from "./content-security-policy.ts";
import { scopedName } from "./short-class-names.ts";

/** The oldest browsers in which the public pages and their form work (docs/specification.md#browsers). */
export const browserFloor = ["chrome100", "firefox102", "safari15.4"];

/**
 * Safari 18. Without a target, shorthands take in properties that Safari before 26.2 (the thickness of an underline) or
 * every browser (the timeline of an animation) drops together with the whole shorthand. `include` has what would lose whole
 * rules in the oldest browsers.
 */
const targets: Targets = { ios_saf: 18 << 16 };
const include = Features.Nesting | Features.MediaQueries;

const onlyStyle = /(?<=<style>).*?(?=<\/style>)/s;

/** Makes a built page smaller. `scripts` are the site's script files by name; a page may load only some of them. */
export function rewritePage(html: string, scripts: ReadonlyMap<string, string>): string {
  const page = withShortPaths(withJoinedElements(withAlignedCells(withoutIslandIds(html))));
  const rest = page.replace(onlyStyle, "") + scriptsOf(page, scripts);
  return withOwnHashes(page.replace(onlyStyle, (css) => withShortProperties(withoutUnusedRules(css, rest), rest)));
}

/**
 * Removes the ids of islands, and values that no selector names. No script of Astro reads the ids, which are hashes of the
 * absolute path of a source file, so a build in another folder would have other bytes.
 */
function withoutIslandIds(html: string): string {
  return html.replaceAll(/(<astro-island) uid="\w*"/g, "$1").replaceAll(/( data-(?:button|stem))="true"/g, "$1");
}

/** Markdown aligns the cells of a table with a style, which the policy would block. */
function withAlignedCells(html: string): string {
  return html.replaceAll(/(<t[dh]) style="text-align: (\w+)"/g, '$1 align="$2"');
}

/**
 * Joins all styles of a page, and inline scripts that stand beside each other: each needs a hash, which the policy names
 * in the page and in its header. The style stands in the place of the first one, because scripts after it need its
 * typefaces.
 */
function withJoinedElements(html: string): string {
  const style = /<style\b[^>]*>(.*?)<\/style>/gs;
  const all = Array.from(html.matchAll(style), ([, css]) => css);
  const joined = html.replaceAll(style, () => (all.length > 0 ? `<style>${all.splice(0).join("")}</style>` : ""));
  return joined.replaceAll("</script><script>", "\n;");
}

/**
 * Writes the paths of drawings with relative coordinates of one decimal place. React writes those of islands, so they
 * stay. Of a drawing in a drawing only the inner one is rewritten. SVGO does not know the styles, so it must keep lines
 * without a length, which are dots if they have round caps.
 */
function withShortPaths(html: string): string {
  const params = {
    floatPrecision: 1,
    utilizeAbsolute: false,
    applyTransforms: false,
    removeUseless: false,
    convertToZ: false,
  };
  const plugins: PluginConfig[] = [{ name: "convertPathData", params }];
  return html.replaceAll(/<astro-island.*?<\/astro-island>|<svg\b(?:(?!<svg\b).)*?<\/svg>/gs, (element) =>
    element.startsWith("<svg") ? optimize(element, { plugins }).data : element,
  );
}

/** Returns the text of the scripts that a page names, and of those that these name. */
function scriptsOf(text: string, scripts: ReadonlyMap<string, string>): string {
  const named = [...scripts].filter(([name]) => text.includes(name));
  const others = new Map([...scripts].filter(([name]) => !text.includes(name)));
  return named.length === 0 ? "" : named.map(([, script]) => script + scriptsOf(script, others)).join("\n");
}

/** Removes the rules of classes that neither the page nor its scripts have, such as those of a section without entries. */
function withoutUnusedRules(css: string, rest: string): string {
  const keyframes = new Set(css.match(/(?<=@keyframes )_[\da-z]+/g));
  const used = new Set(rest.match(scopedName)).union(keyframes);
  const rules = withoutSymbols(css, new Set(css.match(scopedName)).difference(used));
  const played = new Set(rules.replaceAll(/@keyframes [\w-]+/g, "").match(scopedName));
  return withoutSymbols(rules, keyframes.difference(played));
}

function withoutSymbols(css: string, symbols: ReadonlySet<string>): string {
  const code = Buffer.from(css);
  const options = { filename: "page.css", code, minify: true, targets, include, unusedSymbols: [...symbols] };
  // Safari before 16.4 and Chrome before 104 do not know `not` without a media type.
  const narrower = /\(?not \(min-width:([\d.]+)(r?em)\)\)?/g;
  const style = transform(options).code.toString();
  return style.replaceAll(narrower, (_, width, unit) => `(max-width:${width - 0.001}${unit})`);
}

/** Shortens the names of custom properties, most those that are used most, except for those that the page or its scripts have as well. */
function withShortProperties(css: string, rest: string): string {
  const property = /(?<![\w-])--[a-z][\w-]*/g;
  const elsewhere = new Set(rest.match(property));
  const uses = Map.groupBy(css.match(property)?.filter((name) => !elsewhere.has(name)) ?? [], (name) => name);
  const names = [...uses.keys()].sort((one, other) => (uses.get(other)?.length ?? 0) - (uses.get(one)?.length ?? 0));
  const short = new Map(names.map((name, index) => [name, `--${index.toString(36)}`]));
  return css.replaceAll(property, (name) => short.get(name) ?? name);
}
