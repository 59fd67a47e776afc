import { expect, test } from "vitest";
import { rewritePage } from "./rewrite-page.ts";

const policy = (sources: string) => `<meta http-equiv="content-security-policy" content="${sources}">`;

test("a page keeps the rules of its own classes and of its scripts' classes, and loses those of others", () => {
  const css = [
    "._000{color:red}._009{color:green}._0a2{color:blue}",
    "._000:not(._009){top:0}._009{margin:0}@keyframes _0a5{from{top:1px}}._000{animation:1s _0a5}",
  ];
  const scripts = new Map([
    ["form.h1.js", 'import "./notice.h2.js"'],
    ["notice.h2.js", 'const styles = "_0a2"'],
    ["inbox.h3.js", 'const styles = "_009"'],
  ]);
  const page = rewritePage(
    `<head>${css.map((rules) => `<style>${rules}</style>`).join("")}</head><p class="_000"><astro-island component-url="/_astro/form.h1.js">`,
    scripts,
  );
  expect(page.match(/<style>/g)).toHaveLength(1);
  expect(page).toContain("._000{color:red}._0a2{color:#00f}._000:not(._009){top:0}@keyframes _0a5{");
  expect(page).not.toMatch(/color:green|margin/);
});

test("custom properties get short names in the styles, except those that the page or a script has", () => {
  const css = ":root{--ground:#fff;--ground-alt:#eee;--leaf:red}p{color:var(--leaf);background:var(--ground-alt)}";
  const scripts = new Map([["form.h1.js", 'style.getPropertyValue("--ground-alt")']]);
  const page = rewritePage(
    `<head><style>${css}</style></head><p style="--leaf:green"><astro-island component-url="/_astro/form.h1.js">`,
    scripts,
  );
  expect(page).toContain(
    ":root{--0:#fff;--ground-alt:#eee;--leaf:red}p{color:var(--leaf);background:var(--ground-alt)}",
  );
});

test("the columns of a Markdown table keep their alignment, whose style the policy would block", () => {
  expect(rewritePage('<td style="text-align: right">1</td>', new Map())).toBe('<td align="right">1</td>');
});

test("styles keep apart what Safari, or every browser, drops in a shorthand", () => {
  const underline = "a{text-decoration:underline;text-decoration-thickness:1px}";
  const growth = "p{animation:linear both grow;animation-timeline:view()}";
  expect(rewritePage(`<head><style>${underline}${growth}</style></head>`, new Map())).toContain(underline + growth);
});

test("the policy names the hashes of the page's own scripts and styles only", () => {
  const page = rewritePage(
    `<head>${policy("script-src 'self' 'sha256-a'; style-src 'self' 'sha256-b';")}</head><style></style><script>1</script><script>2</script><script src="/x.js"></script>`,
    new Map(),
  );
  expect(page).toContain(
    policy(
      "script-src 'self' 'sha256-y+ivt4eIIPRaXftzUUClyz0EhHeHAhW6xf1HezW1/bY='; style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';",
    ),
  );
});

test("paths get short, dots of no length stay, and drawings of islands stay as React writes them", () => {
  const drawing = '<svg><path d="M10 10L20 10.04L20 30M17 -50V-50"></path></svg>';
  const page = rewritePage(`<head></head>${drawing}<astro-island>${drawing}</astro-island>`, new Map());
  expect(page).toContain('<svg><path d="M10 10h10v20m-3-80v0"/></svg>');
  expect(page).toContain(`<astro-island>${drawing}</astro-island>`);
  const nested = '<svg><path d="M10 10L20 10.04"></path><svg><path d="M10 10L20 10.04"></path></svg></svg>';
  expect(rewritePage(`<head></head>${nested}`, new Map())).toContain('<svg><path d="M10 10h10"/></svg></svg>');
});
