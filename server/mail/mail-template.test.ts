import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mailColours } from "./mail-template.ts";

test("mails have the colours of the site", () => {
  const tokens = readFileSync(new URL("../../site/styles/tokens.css", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(mailColours)) expect(tokens).toContain(`--${name}: ${value};`);
});
