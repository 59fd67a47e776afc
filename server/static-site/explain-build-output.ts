import { readFileSync } from "node:fs";
import { describeSyntaxError } from "#process/start-error";

/** What Astro prints of a mistake in a content file, and what tells it with file and line. */
const explanations: readonly [printed: RegExp, explain: (...found: string[]) => string][] = [
  [
    /(.+)\n +Location:\n.*(content\/[\w./-]+\.md):(\d+):[1-9]/,
    // Astro counts from the line below the first.
    (reason = "", file = "", line) => describeSyntaxError(file, Number(line) + 1, reason),
  ],
  [
    /does not match collection schema\.\n\n(.+?)\n\n.*?(content\/[\w./-]+\.md):0:0/s,
    (problems = "", file = "") => describeFields(file, problems),
  ],
  [
    /Could not process image metadata for `.*(content\/.+?)`/,
    (file) => `${file} is damaged, or of another kind than its name says. Save it again, or remove it.`,
  ],
  [
    /\[PARSE_ERROR\] (.+)\n.*\[ (content\/[\w./-]+):(\d+):/,
    (reason = "", file = "", line) => describeSyntaxError(file, Number(line), reason),
  ],
];

/** Astro's whole output, unless it names a problem of the file system, such as a full disk, or a mistake in a content file. */
export function explainBuildOutput(output: string): string {
  const [problem] = /(?:EACCES|EDQUOT|ENOSPC|EPERM|EROFS): .+/.exec(output) ?? [];
  if (problem) return `The site could not be built: ${problem}.`;
  for (const [printed, explain] of explanations) {
    const [, ...found] = printed.exec(output) ?? [];
    if (found.length > 0) return `The site could not be built.\n${explain(...found)}`;
  }
  // Astro also shows the code that threw, in which a sentence with values is a template.
  const mistakes = output.match(/content\/[^\n:$`]+(:\d+[^\n:]*)?: (?!.*\$\{).+/g);
  return `The site could not be built.\n${mistakes?.join("\n") ?? output}`;
}

/** Wrong fields at the top of a Markdown file. Astro names the file, but not the lines. */
function describeFields(file: string, problems: string): string {
  const lines = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split("\n");
  const sentences = problems.split("\n").map((problem) => {
    // "results.0.value**: **results.0.value: must be a text", and "****: Unrecognized key: "titel"".
    const [, place = "", reason = problem] = /^ *(?:([\w.]+)(?:\*\*: \*\*\1)?|\*+): (.+)/.exec(problem) ?? [];
    const [top = "", index = "0", name = top] = place.split(".");
    const field = /key: "(\w+)"/.exec(reason)?.[1] ?? name;
    const linesOf = (key: string) =>
      lines.flatMap((text, line) => (text.trim().replace(/^- /, "").startsWith(`${key}:`) ? [line + 1] : []));
    const line = linesOf(field)[field === name ? Number(index) || 0 : 0] ?? linesOf(top)[0] ?? 1;
    return `${file}:${line}: ${place && `${place} `}${reason}`;
  });
  return sentences.join("\n");
}
