import { expect, test } from "vitest";
import { problemsOf } from "./check-pages";

const source = `---
title: A treasure hunt
---

Words
`;

/** The problems of a case study with this HTML, whose Markdown has `written` in line 6. */
function problemsIn(html: string, written = "", file = "content/case-studies/museum.md") {
  const page = `<html><head><title>Museum</title></head><body><main>${html}</main></body></html>`;
  const name = file.replace(/^content\/(legal\/)?|\.\w+$/g, "");
  const pages = new Map([
    ["index.html", '<body><p id="contact"></p></body>'],
    [`${name}.html`, page],
  ]);
  const sources = new Map([
    ["content/brand.ts", ""],
    ["content/case-studies/bicycle-maker.md", written],
    [file, source + written],
  ]);
  return problemsOf(
    pages,
    [...pages.keys(), "plan.pdf", "100%.pdf", "terms.png", "_astro/a.webp", "_astro/a.avif"],
    sources,
  );
}

test("what a text can have is no problem", () => {
  const html = `<h2 id="stops">Stops</h2><h2 id="größe">Size</h2><a href="#gr%C3%B6%C3%9Fe">a</a><a href="/100%.pdf">b</a><p class="x">1 &lt; 2 <b>bold</b> <img src="/terms.png" alt=""></p>
    <a href="#stops">a</a><a href="#top">b</a><a href="#">c</a><a href="/#contact">d</a><a href="/?x=1">e</a><a href="/case-studies/museum/#stops">e</a><a href="/plan.pdf">f</a>
    <a href="https://heron.test/%7Bx">g</a><a href="mailto:ada@heron.test">h</a><a href="tel:+49">i</a>
    <pre><code>{company} &lt;iframe&gt;</code></pre><p>{ a } and {1, 2} and {} and { or }</p>
    <svg><path d="M0 0"></path></svg><picture><source srcset="/_astro/a.avif 480w"><img src="/_astro/a.webp"></picture>`;
  expect(problemsIn(html)).toEqual([]);
});

const blocked = "is blocked: pages load only their own pictures.";

test.each<[string, string, string, string]>([
  ["an iframe", '<iframe src="https://x.test"></iframe>', "<IFRAME", `"<iframe" ${blocked}`],
  ["a film", '<video src="/film.mp4"></video>', "<video", `"<video" ${blocked}`],
  ["an object", '<object data="/plan.pdf"></object>', "<object", `"<object" ${blocked}`],
  ["a style sheet", '<link rel="stylesheet" href="/a.css">', "<link", `"<link" ${blocked}`],
  [
    "a remote picture",
    '<img src="https://x.test/a.png">',
    "https://x.test/a.png",
    '"https://x.test/a.png" is no file of',
  ],
  [
    "a remote picture of this protocol",
    '<img src="//x.test/a.png">',
    "//x.test/a.png",
    '"//x.test/a.png" is no file of',
  ],
  ["a picture in its address", '<img src="data:image/gif;x">', "data:image/gif;x", '"data:image/gif;x" is no file of'],
  [
    "a picture of another folder",
    '<img src="../pictures/a.jpg">',
    "../pictures/a.jpg",
    '"../pictures/a.jpg" is no file of',
  ],
  ["a picture that is missing", '<img src="/none.png">', "/none.png", '"/none.png" is no file of this site'],
  [
    "a remote script",
    '<script src="https://x.test/a.js"></script>',
    "https://x.test/a.js",
    '"https://x.test/a.js" is no file of',
  ],
  [
    "a remote picture of a set",
    '<picture><source srcset="/_astro/a.avif 480w, https://x.test/a.avif 900w"><img src="/_astro/a.webp"></picture>',
    "https://x.test/a.avif",
    '"https://x.test/a.avif" is no file of',
  ],
  ["a script", "<script>a()</script>", "<script>a()</script>", '"<script" is refused: a text can have neither'],
  ["a style element", "<style>p { color: red }</style>", "<style>", '"<style" is refused: a text can have neither'],
  ["a form", '<form action="https://x.test"></form>', "<form", '"<form" is refused: a text can have neither'],
  ["a style", '<p style="color:red">Red</p>', 'style="', '"style=" is blocked: a text can have neither'],
  [
    "a script in an attribute",
    '<p onclick="a()">Red</p>',
    "onclick=",
    '"onclick=" is blocked: a text can have neither',
  ],
  ["an unknown placeholder", "<p>Of {firma}.</p>", "{firma}", '"{firma}" is not filled in:'],
  ["an unclosed placeholder", "<p>Of {company and</p>", "{company and", '"{company and" is not filled in:'],
  ["a placeholder that was not opened", "<p>Of company} and</p>", "Of company}", '"Of company}" is not filled in:'],
  ["a condition without an end", "<p>{if app}Our</p>", "{if app}", '"{if app}" is not filled in:'],
  ["a placeholder in a link", '<a href="mailto:%7Bmail%7D">a</a>', "{mail}", '"{mail}" is not filled in:'],
])("%s is a problem, with file and line", (_, html, written, sentence) => {
  const [problem, ...others] = problemsIn(html, written);
  expect(problem).toMatch(/^content\/case-studies\/museum\.md:6: /);
  expect(problem).toContain(sentence);
  expect(others).toEqual([]);
});

test("the file is the page's own, then another of content/; without one, the sentence names the page", () => {
  expect(problemsIn("{firma}", "{firma}", "content/legal/terms-of-service.md").join()).toMatch(
    /^content\/legal\/terms-of-service\.md:6: /,
  );
  expect(problemsIn("{firma}", "{firma}", "content/imprint.ts").join()).toMatch(/^content\/imprint\.ts:6: /);
  expect(problemsIn("{firma}").join()).toMatch(/^the page \/case-studies\/museum: "{firma}"/);
});
