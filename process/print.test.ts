import { styleText } from "node:util";
import { expect, test } from "vitest";
import { printable } from "./print.ts";

test.each([
  ["an escape sequence", "a\u001b[2J\u001b]0;title\u0007b", "a\\u001b[2J\\u001b]0;title\\u0007b"],
  ["a control character of one byte more", "a\u009b31mb\u007f", "a\\u009b31mb\\u007f"],
  ["a return to the begin of the line", "BROKEN\rok", "BROKEN\\u000dok"],
  ["another direction of writing", "a\u202egnp.exe\u2066", "a\\u202egnp.exe\\u2066"],
  ["what takes no space", "a\u200b\ufeff\u{e0041}", "a\\u200b\\ufeff\\udb40\\udc41"],
])("%s is printed as its number", (_what, text, printed) => {
  expect(printable(text)).toBe(printed);
});

test("line breaks, letters of all languages and the colours of the doctor are printed as they are", () => {
  const coloured = (["green", "yellow", "red", "dim"] as const).map((colour) =>
    styleText(colour, "owl", { validateStream: false }),
  );
  const text = ["one\n\ttwo", "Zoë 🦩 שלום 葉", ...coloured].join("\n");
  expect(printable(text)).toBe(text);
});

test("JSON that is printed means the same", () => {
  const value = { name: 'Zoë\u009b31m \u202e\u{e0041} \\ "' };
  expect(JSON.parse(printable(JSON.stringify(value, undefined, 2)))).toEqual(value);
});
