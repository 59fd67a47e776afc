// Makes every change of docs/making-it-yours.md in a copy of the sources, builds that copy, and looks at the result.
import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type CheerioAPI, load } from "cheerio";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyEdit, readDocumentedEdits } from "../support/documented-edits.ts";

const run = promisify(execFile);
const sources = [
  "astro.config.ts",
  "content",
  "package.json",
  "package-lock.json",
  "process",
  "backend",
  "server",
  "operations",
  "site",
  "supabase",
  "tsconfig.json",
  "validation",
];
const environment = { ...process.env, ENV_FILE: "", SITE_URL: "https://heron.test", BUILD_DIR: "dist" };

let folder = "";
let output = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-content-"));
  for (const name of sources) await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  for (const edit of readDocumentedEdits()) {
    const file = join(folder, edit.file);
    await writeFile(file, applyEdit(edit, edit.before === "" ? "" : await readFile(file, "utf8")));
  }
  for (const example of ["bicycle-maker", "language-school"])
    await rm(join(folder, "content/case-studies", `${example}.md`), { force: true });
  const draft = (await readFile(join(folder, "content/case-studies/lighthouse-museum.md"), "utf8"))
    .replace("title: A treasure hunt", "title: A draft of a treasure hunt")
    .replace("published: 2026-01-15\n", "");
  await writeFile(join(folder, "content/case-studies/unfinished.md"), draft);
  const pictures = join(folder, "content/pictures");
  await mkdir(pictures, { recursive: true });
  // As a telephone held upright saves it: turned, and with the place.
  for (const [index, name] of ["harbour.jpg", "harbour-map.jpg", "unused.JPG", "unused.webp"].entries())
    await sharp({ create: { width: 1000, height: 1600, channels: 3, background: `hsl(${index * 70} 40% 60%)` } })
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "47/1 39/1 0/1" } })
      .toFile(join(pictures, name));
  for (const name of ["scan.psd", "photo.heic", "notes.txt", ".DS_Store"])
    await writeFile(join(pictures, name), "\x00{ no picture");
  ({ stdout: output } = await run(process.execPath, ["operations/commands/build.ts"], {
    cwd: folder,
    env: environment,
  }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the build names no colour that is hard to read", () => {
  expect(output).toContain("Built:");
  expect(output).not.toContain("Colours:");
});

test("the name and the words are on the pages, and the example's name and its colours are nowhere", async () => {
  const $ = await openPage("index");
  expect([$("html").attr("lang"), $("meta[property='og:locale']").attr("content")]).toEqual(["en-US", "en_US"]);
  expect($("header").text()).toContain("Heron & Daughters");
  expect($("title").text()).toBe("Heron & Daughters: more visitors for small museums");
  expect($("h1").text()).toContain("More visitors");
  expect($("main").text()).toContain("Ran a lighthouse museum for nine years");
  expect($("footer").text()).toContain("© 2026 Heron & Daughters GmbH");
  for await (const name of glob("**/*.{html,svg,webmanifest,txt}", { cwd: join(folder, "dist") })) {
    if (name.startsWith("fonts/")) continue;
    expect(await readBuilt(name), name).not.toMatch(/fernway|leaf & |leaf &amp; |#2a6248|#c8f169|#10231c|#8fd0ae/i);
  }
});

test("the colours are in the pages, the icons, the card and the mails", async () => {
  const $ = await openPage("index");
  const [light = "", dark = ""] = $("style").text().split("prefers-color-scheme:dark", 2);
  const [, button] = /(--\w+):#1f4e9a/.exec(light) ?? [];
  expect(button).toBeDefined();
  expect(dark).toMatch(new RegExp(`${button}:#(?!1f4e9a)`));
  const [, panel] = /fill="(#\w{6})"/.exec(await readBuilt("favicon.svg")) ?? [];
  expect(light).toContain(`:${panel}`);
  for (const picture of ["icon-192.png", "social-card.png"]) {
    const { data, info } = await sharp(join(folder, "dist", picture))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The middle of the left edge is ground in both pictures.
    const at = Math.floor(info.height / 2) * info.width * info.channels + 4 * info.channels;
    expect(`#${data.subarray(at, at + 3).toString("hex")}`, picture).toBe(panel);
  }
  const script =
    'const { renderHtml } = await import("#server/mail/mail-template");' +
    'console.log(renderHtml({ subject: "", paragraphs: [], button: "", remark: "" }, { link: "https://heron.test" }))';
  const mail = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
  expect(mail.stdout).toContain("#1f4e9a");
  expect(mail.stdout).toContain("Heron &amp; Daughters");
});

test("the logo is in the header and in the icons", async () => {
  const $ = await openPage("index");
  expect($('header svg path[d^="M2 28"]')).toHaveLength(1);
  expect(await readBuilt("favicon.svg")).toContain('d="M2 28C6 12');
});

test("five services and three projects are on the page, the last one with its picture", async () => {
  const $ = await openPage("index");
  expect($("#services").text()).toContain("Exhibition Launch");
  expect($("#services h3")).toHaveLength(5);
  expect($("#current-projects article")).toHaveLength(3);
  const picture = $("#current-projects article").last().find("img");
  expect(picture.attr("alt")).toBe("The harbour at low tide, with a lighthouse at the end of the pier");
  expect(Number(picture.attr("width")) / Number(picture.attr("height"))).toBeCloseTo(1.6);
  expect((await readFile(join(folder, "dist", picture.attr("src") ?? ""))).length).toBeGreaterThan(0);
});

test("of the pictures, only small ones are published, upright and without the place where they were taken", async () => {
  const names = await Array.fromAsync(
    glob("*.{avif,gif,heic,JPG,jpg,psd,txt,webp}", { cwd: join(folder, "dist/_astro") }),
  );
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) {
    expect(name).toMatch(/^harbour[\w.-]+\.(avif|webp)$/);
    const { exif, orientation, width, height } = await sharp(join(folder, "dist/_astro", name)).metadata();
    expect([name, exif, orientation, (width / height).toFixed(1)]).toEqual([name, undefined, undefined, "1.6"]);
  }
});

test("the calendar is a plain link", async () => {
  const $ = await openPage("index");
  expect($("#services a[href='https://calendar.test/heron']").attr("rel")).toBe("noreferrer");
});

test("the proof is on the page: the figure with its source, a person and a screenshot", async () => {
  const $ = await openPage("index");
  expect($("#why-work-with-us strong").text()).toBe("14,000");
  expect($("[aria-labelledby=people-heading] h3").text()).toBe("Ada Heron");
  expect($("#why-work-with-us small").text()).toBe("January 2026. Ticket sales of our clients.");
  const screenshot = $("[aria-labelledby=screenshots-heading] figure");
  expect(screenshot.find("img").attr("alt")).toBe("A map with seven stops");
  expect(screenshot.text()).toContain("Harbour Walk: All stops of the tour");
});

test("a case study has its page, its preview picture, a place in the sitemap and one on the landing page", async () => {
  const path = "/case-studies/lighthouse-museum";
  const link = (await openPage("index"))("#current-projects li:first-child h3 a");
  expect([link.attr("href"), link.text()]).toEqual([path, "A treasure hunt that begins at the car park"]);
  const $ = await openPage(path.slice(1));
  for (const words of [
    "+38%",
    "Summer of 2025, beside that of 2024. Ticket sales.",
    "seven stops",
    "Jun Abe, Director",
  ])
    expect($("main").text()).toContain(words);
  expect($("main img").attr("alt")).toContain("lighthouse at the end of the pier");
  const inText = $("main p img");
  expect(inText.attr("alt")).toBe("A map with seven stops");
  expect(inText.attr("srcset")).toMatch(/^\/_astro\/harbour-map\.\S+\.webp 480w, /);
  expect(Number(inText.attr("width")) / Number(inText.attr("height"))).toBeCloseTo(1.6);
  expect($("meta[property='og:image']").attr("content")).toBe(`https://heron.test${path}.png`);
  expect((await sharp(join(folder, "dist", `${path}.png`)).metadata()).width).toBe(1200);
  expect(await readBuilt("sitemap.xml")).toContain(`<loc>https://heron.test${path}</loc>`);
  const { "@graph": graph } = JSON.parse($("script[type='application/ld+json']").text());
  // Required and recommended by https://developers.google.com/search/docs/appearance/structured-data/article.
  expect(graph.find((entity: object) => "headline" in entity)).toMatchObject({
    "@type": "Article",
    headline: "A treasure hunt that begins at the car park",
    image: `https://heron.test${path}.png`,
    datePublished: "2026-01-15T00:00:00.000Z",
    author: { "@type": "Organization", name: "Heron & Daughters", url: "https://heron.test/" },
  });
});

test("a case study without a day is a draft, of which nothing is published", async () => {
  for (const name of ["index.html", "sitemap.xml", "case-studies/lighthouse-museum.html"])
    expect(await readBuilt(name)).not.toMatch(/unfinished|A draft of/);
  expect(await Array.fromAsync(glob("case-studies/*", { cwd: join(folder, "dist") }))).not.toContainEqual(
    expect.stringContaining("unfinished"),
  );
});

test("the legal text, its date and the imprint are published, linked and in the sitemap", async () => {
  const terms = (await openPage("terms-of-service"))("main").text();
  expect(terms).toContain("These terms are governed by the law of Germany.");
  expect(terms).toContain("Last updated: 01.02.2026");
  expect((await openPage("privacy-policy"))("main").text()).toContain("We keep a contact for 12 months");
  const imprint = await openPage("imprint");
  expect(imprint("main").text()).toContain("Amtsgericht Freiburg");
  expect(imprint("main a[href='mailto:hello@heron.test']")).toHaveLength(1);
  expect((await openPage("index"))("footer a[href='/imprint']")).toHaveLength(1);
  expect(await readBuilt("sitemap.xml")).toContain("<loc>https://heron.test/imprint</loc>");
});

test("`npm run placeholders` no longer lists what was replaced", async () => {
  const { stdout } = await run(process.execPath, ["operations/commands/placeholders.ts"], {
    cwd: folder,
    env: environment,
  });
  expect(stdout).toContain("content/landing.ts");
  expect(stdout).not.toMatch(/Fernway|content\/(imprint|case-studies)|copyrightYear|law of/);
});

test("a build refuses a wrong field of a case study, and names its line", async () => {
  const file = join(folder, "content/case-studies/lighthouse-museum.md");
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    text.replace("industry:", "industries:").replace("time: ", "times: ").replace("+38%", "38").replace("340", "many"),
  );
  const build = run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
  const { stderr } = await build.catch((error) => error);
  const problems = [
    '4: Unrecognized key: "industries"',
    '9: results.0 Unrecognized key: "times"',
    "7: results.0.value must be a text; put a number in quotation marks",
    "11: results.0.chart.readings.0.value",
  ];
  for (const problem of problems) expect(stderr).toContain(`content/case-studies/lighthouse-museum.md:${problem}`);
  await writeFile(file, text.replace("harbour.jpg", "harbor.jpg"));
  await expect(
    run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment }),
  ).rejects.toMatchObject({
    stderr: expect.stringContaining("lighthouse-museum.md:20 has the picture content/pictures/harbor.jpg, which"),
  });
  await writeFile(file, text.replace("title: A", "title: A: a"));
  const again = run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
  await expect(again).rejects.toMatchObject({
    stderr: expect.stringContaining("lighthouse-museum.md:2 cannot be read"),
  });
  await writeFile(file, text);
});

test("a build refuses what a page would not show, each in a sentence with file and line, without a stack trace", async () => {
  const study = join(folder, "content/case-studies/lighthouse-museum.md");
  const terms = join(folder, "content/legal/terms-of-service.md");
  const text = await readFile(study, "utf8");
  const clauses = await readFile(terms, "utf8");
  await writeFile(
    study,
    `${text}\n![Far](https://x.test/a.png)\n\n<iframe src="https://x.test"></iframe>\n\n<p style="color:red">Red</p>\n\n<form action="https://x.test"></form>\n`,
  );
  await writeFile(terms, clauses.replace("governed by the law of Germany", "those of {firma} and {company"));
  const build = run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
  const { stderr } = await build.catch((error) => error);
  await writeFile(study, text);
  await writeFile(terms, clauses);
  const [head, ...sentences] = stderr.trim().split("\n");
  expect(head).toBe("The site could not be built.");
  expect(sentences.map((sentence: string) => sentence.replace(/ is .*/, "")).sort()).toEqual([
    'content/case-studies/lighthouse-museum.md:29: "https://x.test/a.png"',
    'content/case-studies/lighthouse-museum.md:31: "<iframe"',
    'content/case-studies/lighthouse-museum.md:33: "style="',
    'content/case-studies/lighthouse-museum.md:35: "<form"',
    'content/legal/terms-of-service.md:51: "{company. If you are a"',
    'content/legal/terms-of-service.md:51: "{firma}"',
  ]);
});

test("a build refuses a picture that Astro would publish with its place, because it cannot be read", async () => {
  const study = join(folder, "content/case-studies/lighthouse-museum.md");
  const text = await readFile(study, "utf8");
  const noise = Buffer.from(Array.from({ length: 200 * 100 * 3 }, (_, index) => (index * index * 31) % 251));
  const whole = await sharp(noise, { raw: { width: 200, height: 100, channels: 3 } })
    .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "47/1 39/1 0/1" } })
    .avif()
    .toBuffer();
  await writeFile(study, `${text}\n![Broken](../pictures/broken.avif)\n`);
  const holed = Buffer.from(whole).fill(0, Math.floor(whole.length / 5), whole.length - 400);
  for (const broken of [holed, whole.subarray(0, whole.length / 2)]) {
    await writeFile(join(folder, "content/pictures/broken.avif"), broken);
    const build = run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
    await expect(build).rejects.toMatchObject({
      stderr:
        "The site could not be built.\ncontent/pictures/broken: this picture cannot be made small. Save it again.\n",
    });
  }
  await writeFile(study, text);
});

test("without case studies there is no trace of them", async () => {
  await rm(join(folder, "content/case-studies"), { recursive: true });
  await run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
  expect((await openPage("index"))("#case-studies").text()).not.toContain("on record");
  expect(await Array.fromAsync(glob("**/case-studies*", { cwd: join(folder, "dist") }))).toEqual([]);
  expect(await readBuilt("sitemap.xml")).not.toContain("case-studies");
});

test("a build refuses a damaged picture in one sentence", async () => {
  await writeFile(join(folder, "content/pictures/harbour.jpg"), "no picture");
  const build = run(process.execPath, ["operations/commands/build.ts"], { cwd: folder, env: environment });
  await expect(build).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^The site could not be built\.\ncontent\/projects\.ts: the project "harbour-walk" has the picture .* is damaged/,
    ),
  });
});

async function openPage(name: string): Promise<CheerioAPI> {
  return load(await readBuilt(`${name}.html`));
}

function readBuilt(name: string): Promise<string> {
  return readFile(join(folder, "dist", name), "utf8");
}
