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
  "server",
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
  const pictures = join(folder, "content/pictures");
  await mkdir(pictures, { recursive: true });
  const water = sharp({ create: { width: 1600, height: 1000, channels: 3, background: "#7799bb" } });
  for (const name of ["harbour.jpg", "harbour-map.jpg"]) await water.toFile(join(pictures, name));
  ({ stdout: output } = await run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the build names no colour that is hard to read", () => {
  expect(output).toContain("Built:");
  expect(output).not.toContain("Colours:");
});

test("the name and the words are on the pages, and the example's name and its colours are nowhere", async () => {
  const $ = await openPage("index");
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
  // The original is larger, and may say where it was taken.
  expect(await Array.fromAsync(glob("**/*.jpg", { cwd: join(folder, "dist") }))).toEqual([]);
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

test("the legal text, its date and the imprint are published, linked and in the sitemap", async () => {
  const terms = (await openPage("terms-of-service"))("main").text();
  expect(terms).toContain("These terms are governed by the law of Germany.");
  expect(terms).toContain("Last updated: 01.02.2026");
  const imprint = await openPage("imprint");
  expect(imprint("main").text()).toContain("Amtsgericht Freiburg");
  expect(imprint("main a[href='mailto:hello@heron.test']")).toHaveLength(1);
  expect((await openPage("index"))("footer a[href='/imprint']")).toHaveLength(1);
  expect(await readBuilt("sitemap.xml")).toContain("<loc>https://heron.test/imprint</loc>");
});

test("`npm run placeholders` no longer lists what was replaced", async () => {
  const { stdout } = await run(process.execPath, ["server/cli/placeholders.ts"], { cwd: folder, env: environment });
  expect(stdout).toContain("content/landing.ts");
  expect(stdout).not.toMatch(/placeholder name\n.*Fernway|content\/imprint|copyrightYear|terms-of-service.*law of/);
});

test("a build refuses a wrong field of a case study, and names its line", async () => {
  const file = join(folder, "content/case-studies/lighthouse-museum.md");
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    text.replace("industry:", "industries:").replace("time: ", "times: ").replace("+38%", "38").replace("340", "many"),
  );
  const build = run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment });
  const { stderr } = await build.catch((error) => error);
  const problems = [
    '4: Unrecognized key: "industries"',
    '9: results.0 Unrecognized key: "times"',
    "7: results.0.value must be a text; put a number in quotation marks",
    "11: results.0.chart.readings.0.value",
  ];
  for (const problem of problems) expect(stderr).toContain(`content/case-studies/lighthouse-museum.md:${problem}`);
  await writeFile(file, text.replace("harbour.jpg", "harbor.jpg"));
  await expect(run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment })).rejects.toMatchObject(
    {
      stderr: expect.stringContaining("lighthouse-museum.md: there is no picture harbor.jpg in content/pictures/."),
    },
  );
  await writeFile(file, text.replace("title: A", "title: A: a"));
  const again = run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment });
  await expect(again).rejects.toMatchObject({
    stderr: expect.stringContaining("lighthouse-museum.md:2 cannot be read"),
  });
  await writeFile(file, text);
});

test("without case studies there is no trace of them", async () => {
  await rm(join(folder, "content/case-studies"), { recursive: true });
  await run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment });
  expect((await openPage("index"))("#case-studies").text()).not.toContain("on record");
  expect(await Array.fromAsync(glob("**/case-studies*", { cwd: join(folder, "dist") }))).toEqual([]);
  expect(await readBuilt("sitemap.xml")).not.toContain("case-studies");
});

test("a build refuses a damaged picture in one sentence", async () => {
  await writeFile(join(folder, "content/pictures/harbour.jpg"), "no picture");
  const build = run(process.execPath, ["server/cli/build.ts"], { cwd: folder, env: environment });
  await expect(build).rejects.toMatchObject({
    stderr: expect.stringMatching(/^content\/projects\.ts: the project "harbour-walk" has the picture .* is damaged/),
  });
});

async function openPage(name: string): Promise<CheerioAPI> {
  return load(await readBuilt(`${name}.html`));
}

function readBuilt(name: string): Promise<string> {
  return readFile(join(folder, "dist", name), "utf8");
}
