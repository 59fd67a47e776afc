/** The logo of an owner. `attributes` are those of the root that draw, such as `fill="none"`. */
interface OwnLogo {
  viewBox: string;
  attributes: string;
  content: string;
}

const charactersMax = 10_000;

/** Reads the text of `content/logo.svg`. What the pages could not show is refused with a sentence for the owner. */
export function parseLogo(text: string): OwnLogo {
  const [, root = "", content = ""] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(text) ?? [];
  const [, viewBox = ""] = /\sviewBox=["']([^"']+)/.exec(root) ?? [];
  const problem = findProblem(text, viewBox, content);
  if (problem) throw new Error(`content/logo.svg: ${problem}`);
  const attributes = root.match(/\s(xmlns:|fill|stroke|clip|color|opacity|transform)[\w-]*=("[^"]*"|'[^']*')/g) ?? [];
  return { viewBox, attributes: attributes.join(""), content };
}

function findProblem(text: string, viewBox: string, content: string): string | undefined {
  if (!content.trim()) return "this is no SVG drawing, or an empty one.";
  if (!viewBox) return 'the <svg> needs a viewBox, such as viewBox="0 0 32 32".';
  if (/<style|\sstyle=/.test(text))
    return "it has styles, which the pages' security policy blocks. Export it with presentation attributes.";
  if (/<script|\son\w+=|<foreignObject/i.test(text)) return "it has a script, which the pages' security policy blocks.";
  if (/href=["'](?!#)/.test(text)) return "it refers to another picture. Export it as shapes alone.";
  if (text.length > charactersMax)
    return `it has ${text.length} characters, and each page has it twice. Export it with fewer details, at most ${charactersMax}.`;
  return undefined;
}
