import { expect, test } from "vitest";
import { explainBuildOutput } from "./explain-build-output.ts";

test("of a build that failed for want of space, only the reason is shown; of a mistake in the sources, everything", () => {
  const noSpace =
    "14:39:51   ├─ /robots.txt (+1ms) \n14:39:51   ├─ /social-card.pngENOSPC: no space left on device, write\n  Stack trace:\n";
  expect(explainBuildOutput(noSpace)).toBe("The site could not be built: ENOSPC: no space left on device, write.");
  const mistake = "[vite] Unexpected token\n  Location:\n    content/brand.ts:3:9\n";
  expect(explainBuildOutput(mistake)).toBe(`The site could not be built.\n${mistake}`);
  const sentence = "content/services.ts: the service “x” has no drawing.";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as Astro shows the code that threw
  const code = "throw new Error(`content/services.ts: the service “${slug}” has no drawing.`);\n";
  expect(explainBuildOutput(`${code}[ERROR] ${sentence}\n  at Services`)).toBe(
    `The site could not be built.\n${sentence}`,
  );
});

test("of a damaged picture, and of several mistakes in texts, each has its sentence and no stack trace", () => {
  const hint =
    "\n  Hint:\n    This is often caused by a typo.\n  Stack trace:\n    at handler (file:///astro.js:42:19)\n";
  expect(
    explainBuildOutput(
      `[NoImageMetadata] Could not process image metadata for \`/site/content/pictures/my owl.jpg\`.${hint}`,
    ),
  ).toBe(
    "The site could not be built.\ncontent/pictures/my owl.jpg is damaged, or of another kind than its name says. Save it again, or remove it.",
  );
  const sentences = ["content/legal/terms-of-service.md:3: no", "content/pictures/my owl: no"].join("\n");
  expect(explainBuildOutput(`[ERROR] ${sentences}${hint}`)).toBe(`The site could not be built.\n${sentences}`);
});
