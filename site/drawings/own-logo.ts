/** The logo of an owner. `attributes` are those of the root that draw, such as `fill="none"`. */
interface OwnLogo {
  viewBox: string;
  attributes: string;
  content: string;
}

const charactersMax = 10_000;

/** Reads the text of `content/logo.svg`. What the pages could not show is refused with a sentence for the owner. */
export function parseLogo(file: string): OwnLogo {
  const text = file.replaceAll(/<!--.*?-->/gs, "");
  const [, root = "", content = ""] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(text) ?? [];
  const [, box = ""] = /\sviewBox=["']([^"']+)/.exec(root) ?? [];
  const viewBox = box.trim().replaceAll(/[\s,]+/g, " ");
  const problem = findProblem(text, viewBox, content);
  if (problem) throw new Error(`content/logo.svg: ${problem}`);
  const attributes = root.match(/\s(xmlns:|fill|stroke|clip|color|opacity|transform)[\w-]*=("[^"]*"|'[^']*')/g) ?? [];
  return { viewBox, attributes: withOwnIds(attributes.join("")), content: withOwnIds(content) };
}

/** An id of the drawing must not be one of the page, such as `services`. */
function withOwnIds(markup: string): string {
  return markup.replaceAll(/(\sid=["']|url\(["']?#|href=["']#)/g, "$1logo-");
}

/** All other elements are refused: letters would need a typeface, and links and animations have no place in a logo. */
const elements =
  /^(svg|g|defs|symbol|use|path|rect|circle|ellipse|line|polyline|polygon|title|desc|linearGradient|radialGradient|stop|pattern|clipPath|mask)$/;

function findProblem(text: string, viewBox: string, content: string): string | undefined {
  if (!content.trim()) return "this is not an SVG drawing, or it is empty.";
  const [, , width = 0, height = 0] = viewBox.split(" ").map(Number);
  if (!(width > 0 && height > 0)) return 'the <svg> needs a viewBox, such as viewBox="0 0 32 32".';
  if (/<style|\sstyle\s*=/.test(text))
    return "it has styles, which the pages' security policy blocks. Export it with presentation attributes.";
  if (/<script|[\s/"']on\w+\s*=|<foreignObject/i.test(text))
    return "it has a script, which the pages' security policy blocks.";
  if (/<!ENTITY/i.test(text)) return "it has entities. Export it as plain SVG.";
  if (/<image|href(?!=["']#)|url\((?!["']?#)/i.test(text))
    return "it refers to another picture. Export it as shapes alone.";
  const other = [...text.matchAll(/<([^\s/>!?]+)/g)].map(([, name = ""]) => name).find((name) => !elements.test(name));
  if (other)
    return `it has <${other}>. Export it as shapes alone: letters as paths, and without the program's own data.`;
  if (text.match(/<\/?svg\b/g)?.length !== 2) return "it has more than one <svg>. Export it as one drawing.";
  if (text.length > charactersMax)
    return `it has ${text.length} characters, and each page has it twice. Export it with fewer details, at most ${charactersMax}.`;
  return undefined;
}
