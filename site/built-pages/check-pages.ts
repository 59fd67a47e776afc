import { load } from "cheerio";

/** What the Content-Security-Policy blocks, wherever it comes from. */
const blocked = /^(audio|embed|frame|iframe|link|meta|object|video)$/;
const notOfThisSite = "is no file of this site. A picture is written ![what it shows](../pictures/its-name.jpg)";

/**
 * Says what a browser would not show as a text of `content/` means it, with file and line. `pages` has the HTML and
 * `sources` the texts by file; `files` names all that is built.
 */
export function problemsOf(
  pages: ReadonlyMap<string, string>,
  files: readonly string[],
  sources: ReadonlyMap<string, string>,
): string[] {
  const addresses = new Set(files.flatMap((file) => [`/${file}`, encodeURI(`/${file}`)]));
  const problems = Array.from(pages).flatMap(([file, html]) => {
    const $ = load(html);
    const found: [words: string, problem: string][] = [];
    const links: string[] = [];
    const isText = ["", "legal/"].some((folder) => sources.has(`content/${folder}${file.replace(/html$/, "md")}`));
    const refused = new Set<unknown>($(isText ? "main :is(script, style, form)" : []).get());
    for (const element of $("body *").get()) {
      const { name, attribs } = element;
      const { src, srcset = "", href = "" } = attribs;
      if (blocked.test(name)) found.push([`<${name}`, "is blocked: pages load only their own pictures. Write a link"]);
      else if (src !== undefined && !addresses.has(src.replace(/\?.*/, ""))) found.push([src, notOfThisSite]);
      else if (refused.has(element))
        found.push([`<${name}`, "is refused: a text can have neither styles, scripts nor forms. Remove it"]);
      const candidates = srcset.split(/,\s+/).flatMap((each) => each.trim().split(/\s/, 1));
      for (const address of candidates.filter((each) => each && !addresses.has(each)))
        found.push([address, notOfThisSite]);
      for (const attribute of Object.keys(attribs).filter((each) => /^(style|on.+)$/.test(each)))
        found.push([`${attribute}=`, "is blocked: a text can have neither styles nor scripts. Remove it"]);
      if (name === "a") links.push(href.replaceAll(/%7b(\w+)%7d/gi, "{$1}"));
    }
    $("code, noscript, pre, script, style, template").remove();
    const text = [$("title").text(), $("body").text(), ...links].join("\n");
    for (const [words] of text.matchAll(/\{[a-z]\w*( \w+)?\}|\{[a-z][^{}\n]{0,20}|[^{}\n]{0,20}\b[a-z]\w*\}/gi))
      found.push([words.trim(), "is not filled in: words in braces are those of content/legal.ts, in content/legal/"]);
    return found.map(([words, problem]) => `${placeOf(words, file, sources)}: "${words}" ${problem}.`);
  });
  return [...new Set(problems)];
}

/** File and line of the words, in the text of this page or in another. */
function placeOf(words: string, page: string, sources: ReadonlyMap<string, string>): string {
  const isOwn = (file: string) => Number(file.includes(`/${page.replace(/.*\/|html$/g, "")}`));
  for (const [file, text] of [...sources].sort(([one], [other]) => isOwn(other) - isOwn(one))) {
    const before = text.slice(0, text.toLowerCase().indexOf(words.toLowerCase()));
    if (text.toLowerCase().includes(words.toLowerCase())) return `${file}:${before.split("\n").length}`;
  }
  return `the page /${page.replace(/\.html$/, "")}`;
}
