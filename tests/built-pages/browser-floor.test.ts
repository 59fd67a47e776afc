import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newerMethods } from "../support/newer-methods.ts";
import { testSiteSettings } from "../support/site.ts";

const fileOf = (name: string) => join(testSiteSettings.BUILD_DIR, name);
const read = (file: string) => readFileSync(fileOf(file), "utf8");

/** Calls of newer methods, as far as their names tell, and regular expressions that Safari before 16.4 cannot read. */
const named = Object.entries(newerMethods).flatMap(([owner, names]) =>
  owner.endsWith(".prototype")
    ? names.filter((name) => /[A-Z]/.test(name) && name !== "flatMap").map((name) => `\\.${name}`)
    : names.map((name) => `${owner}\\.${name}`),
);
const newer = new RegExp(`(?:${named.join("|")})\\(|\\(\\?<[=!]`, "g");
/** Libraries ask whether there is such a method. */
const asked = [".requestSubmit(", ".startViewTransition(", ".toBase64("];

/** What a page calls: in its own scripts, and in the files that it and these files name. */
function callsOf(page: string): string[] {
  const files = new Set([page]);
  for (const file of files)
    for (const [name] of read(file).matchAll(/[\w.-]+\.js\b/g))
      if (existsSync(fileOf(`_astro/${name}`))) files.add(`_astro/${name}`);
  const calls = [...files].flatMap((file) => read(file).match(newer) ?? []);
  return [...new Set(calls)].filter((call) => !asked.includes(call)).sort();
}

test("the scripts of the landing page need no method that is newer than the oldest browsers of the form", () => {
  // The form shares a file with the login, which calls this.
  expect(callsOf("index.html")).toEqual(["URL.canParse("]);
});

test("what the pages for members need beyond that, they check before they start", () => {
  const check = readFileSync("site/scripts/hydrate-after-paint.ts", "utf8");
  const calls = ["auth.html", "account.html", "admin/contacts.html"].flatMap(callsOf);
  const unchecked = calls.filter((call) => !check.includes(call.slice(0, -1)));
  expect(calls).toContain("Map.groupBy(");
  // A browser that has what is checked has these too.
  expect([...new Set(unchecked)].sort()).toEqual(
    ["(?<!", "(?<=", ".hidePopover("].filter((call) => calls.includes(call)),
  );
});

test("the styles of the landing page have no query that the oldest browsers of the form cannot read", () => {
  const [style = ""] = /<style>.*<\/style>/s.exec(read("index.html")) ?? [];
  expect(style.includes("@media (min-width:")).toBe(true);
  expect(style.match(/@media[^{]*(?:[<>]|not \()[^{]*/g)).toBeNull();
});

test("styles keep apart what Safari before 26.2, or every browser, would drop together with a shorthand", () => {
  for (const page of ["index.html", "admin/contacts.html"]) {
    const [style = ""] = /<style>.*<\/style>/s.exec(read(page)) ?? [];
    expect(style).toMatch(/text-decoration-thickness:/);
    expect(style.match(/text-decoration:[^;}]*\d[^;}]*|animation:[^;}]*\b(?:scroll|view)\([^;}]*/g)).toBeNull();
  }
});
