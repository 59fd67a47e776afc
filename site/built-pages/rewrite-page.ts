import { createHash } from "node:crypto";
import { type Targets, transform } from "lightningcss";
import { optimize, type PluginConfig } from "svgo";

/**
 * Safari 18. Without a target, shorthands take in properties that Safari before 26.2 (the thickness of an underline) or
 * every browser (the timeline of an animation) drops together with the whole shorthand.
 */
const targets: Targets = { ios_saf: 18 << 16 };

/** The name of a class or of keyframes in a CSS module, as Vite writes it: `_card_x7f2a_31`. */
const scopedName = /(?<![\w-])_[A-Za-z][\w-]*?_\w{5}_\d+(?![\w-])/g;
const customProperty = /(?<![\w-])--[a-z][\w-]*/g;
const policyTag = /<meta http-equiv="content-security-policy"[^>]*>/i;

/** Makes a built page smaller. `scripts` are the site's script files by name; a page may load only some of them. */
export function rewritePage(html: string, scripts: ReadonlyMap<string, string>): string {
  const page = withShortPaths(withJoinedElements(withoutIslandIds(html)));
  const inScripts = scriptsOf(page, scripts);
  return withOwnHashes(withShortNames(withoutUnusedRules(page, inScripts), inScripts));
}

/**
 * Removes the ids of islands. No script of Astro reads them, and they are hashes of the absolute path of a source file,
 * so a build in another folder would have other bytes.
 */
function withoutIslandIds(html: string): string {
  return html.replaceAll(/(<astro-island) uid="\w*"/g, "$1");
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

/** Returns the text of the scripts that a page names, and of those that these name, one after the other. */
function scriptsOf(html: string, scripts: ReadonlyMap<string, string>): string {
  let text = "";
  const left = new Map(scripts);
  for (let named = [html]; named.length > 0; ) {
    const found = [...left].filter(([name]) => named.some((from) => from.includes(name)));
    for (const [name] of found) left.delete(name);
    named = found.map(([, script]) => script);
    text += named.join("\n");
  }
  return text;
}

/** Removes the rules of classes that neither the page nor its scripts have, such as those of a section without entries. */
function withoutUnusedRules(html: string, inScripts: string): string {
  return withStyle(html, (css, rest) => {
    const used = new Set(`${rest}${inScripts}`.match(scopedName));
    const unused = new Set(css.match(scopedName)).difference(used);
    const keyframes = new Set(Array.from(css.matchAll(/@keyframes ([\w-]+)/g), ([, name = ""]) => name));
    const rules = withoutSymbols(css, unused.difference(keyframes));
    const played = new Set(rules.replaceAll(/@keyframes [\w-]+/g, "").match(scopedName));
    return withoutSymbols(rules, keyframes.intersection(unused).difference(played));
  });
}

function withoutSymbols(css: string, symbols: ReadonlySet<string>): string {
  const code = Buffer.from(css);
  return transform({ filename: "page.css", code, minify: true, targets, unusedSymbols: [...symbols] }).code.toString();
}

/** Shortens the names of CSS modules and of custom properties, the most frequent ones to a single letter. */
function withShortNames(html: string, inScripts: string): string {
  const short = shortNames(html, scopedName, inScripts, "_");
  const page = html.replaceAll(scopedName, (name) => short.get(name) ?? name);
  return withStyle(page, (css, rest) => {
    const properties = shortNames(css, customProperty, `${rest}${inScripts}`, "--");
    return css.replaceAll(customProperty, (name) => properties.get(name) ?? name);
  });
}

/** Returns a short name for each name in the text, except for those that `elsewhere` has as well. */
function shortNames(text: string, pattern: RegExp, elsewhere: string, prefix: string): Map<string, string> {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const inUse = new Set(elsewhere.match(pattern));
  const names = [...counts.keys()].filter((name) => !inUse.has(name));
  names.sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  return new Map(names.map((name, index) => [name, prefix + lettersOf(index)]));
}

/** `a` to `z`, then `ba` and so on. */
function lettersOf(index: number): string {
  return index.toString(26).replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
}

/** Allows exactly the page's own inline scripts and styles: Astro names those of the whole site on each page. */
function withOwnHashes(html: string): string {
  const hashesOf = (element: "script" | "style") =>
    Array.from(
      html.matchAll(new RegExp(`<${element}\\b(?![^>]* src=)[^>]*>(.*?)</${element}>`, "gs")),
      ([, text = ""]) => createHash("sha256").update(text).digest("base64"),
    );
  return html.replace(policyTag, (policy) =>
    (["script", "style"] as const).reduce((rewritten, element) => {
      const own = [...new Set(hashesOf(element))].map((hash) => ` 'sha256-${hash}'`).join("");
      return rewritten.replace(
        new RegExp(`${element}-src [^;"]*`),
        (directive) => directive.replaceAll(/ 'sha256-[^']+'/g, "").trimEnd() + own,
      );
    }, policy),
  );
}

function withStyle(html: string, rewrite: (css: string, rest: string) => string): string {
  const style = /(?<=<style>).*?(?=<\/style>)/s;
  return html.replace(style, (css) => rewrite(css, html.replace(style, "")));
}
