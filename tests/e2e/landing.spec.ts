import type { Page } from "@playwright/test";
import { hero, servicesIntroduction } from "#content/landing";
import { login, sectionLinks, workWithUs } from "#content/navigation";
import { auth, landing, privacyPolicy, thanks } from "#content/page-titles";
import { reasonsIntroduction } from "#content/why-work-with-us";
import { siteUrl } from "../support/site.ts";
import { expect, holdRequests, test, untilIdle } from "./support/fixtures.ts";
import { findShifts, loadedTypefaces, watchShifts } from "./support/loading.ts";
import { serveInTwoParts } from "./support/two-parts.ts";
import { findBrokenWords, findLayoutProblems } from "./support/visual-checks.ts";

test("a section link scrolls the page so that the section's heading is below the page header", async ({ page }) => {
  await page.goto("/");
  const calls = [hero.workWithUs, hero.seeOurWork, servicesIntroduction.call, reasonsIntroduction.call];
  for (const [landmark, links] of [
    ["banner", [...sectionLinks, workWithUs]],
    ["main", calls],
  ] as const) {
    for (const { label, href } of links) {
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.getByRole(landmark).getByRole("link", { name: label, exact: true }).click();
      await expect(page).toHaveURL(href);
      await expectBelowHeader(page, new URL(page.url()).hash.slice(1));
    }
  }

  await test.step("the first project, with its words and its drawing, fits into a laptop's window", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const first = page.locator("#current-projects article").first();
    await first.evaluate((project) => project.scrollIntoView({ behavior: "instant" }));
    for (const part of ["h4", "a", "figcaption"]) await expect(first.locator(part)).toBeInViewport({ ratio: 1 });
  });
  await test.step("the way to our work shows the first figure of a client, and the heading above it", async () => {
    await page.getByRole("main").getByRole("link", { name: hero.seeOurWork.label, exact: true }).click();
    await expect(page.locator("#current-projects li strong").first()).toBeInViewport({ ratio: 1 });
    const header = await page.getByRole("banner").boundingBox();
    const heading = page.locator("#case-studies h2");
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeGreaterThan(header?.height ?? Number.NaN);
  });
  await page.getByRole("banner").getByRole("link", { name: login.label, exact: true }).click();
  await expect(page).toHaveURL(login.href);
});

test("other headlines, names and numbers of services fit into their places", { tag: "@rare" }, async ({ page }) => {
  await page.goto("/");
  const headlines = [
    ["Communications: summers welcome", "every winter"],
    ["We help manufacturers of machine tools to find customers in seven countries", "and to keep them"],
  ] as const;
  for (const [start, underlined] of headlines) {
    await page.locator("#hero h1").evaluate(
      (headline, [start, underlined]) => {
        headline.parentElement?.toggleAttribute("data-long", `${start} ${underlined}`.length > 60);
        const [before, part] = headline.childNodes;
        if (before && part) [before.textContent, part.textContent] = [`${start} `, underlined];
      },
      [start, underlined] as const,
    );
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await findBrokenWords(page.locator("#hero h1, #services h3")), `${start}, ${width} px`).toEqual([]);
      expect(await findLayoutProblems(page), `${start}, ${width} px`).toEqual([]);
    }
  }

  // Three, five and six services fill all columns of their last row, too.
  for (const count of [3, 5, 6]) {
    await page.locator("#services ul").evaluate((list, wanted) => {
      while (list.childElementCount > wanted) list.lastElementChild?.remove();
      while (list.childElementCount < wanted) list.append(list.firstElementChild?.cloneNode(true) ?? "");
    }, count);
    for (const width of [768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const gaps = await page.locator("#services ul").evaluate((list) => {
        const edge = list.getBoundingClientRect();
        const rows = Map.groupBy(
          [...list.children].map((item) => item.getBoundingClientRect()),
          ({ top }) => top,
        );
        return [...rows.values()].map((row) => [
          (row[0]?.left ?? 0) - edge.left,
          edge.right - (row.at(-1)?.right ?? 0),
        ]);
      });
      expect(
        gaps.flat().filter((gap) => Math.abs(gap) > 2),
        `${count} services at ${width} px`,
      ).toEqual([]);
    }
  }
});

test("a page is painted before its typefaces, shows them when they come, and hardly moves", async ({ context }) => {
  await context.addInitScript(watchShifts);
  for (const width of [412, 1440])
    for (const { path } of [landing, privacyPolicy, auth]) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 823 });
      const releaseFonts = await holdRequests(page, "**/*.woff2");
      await page.goto(path, { waitUntil: "commit" });
      await untilPainted(page);
      expect(await loadedTypefaces(page)).toBe(0);
      releaseFonts();
      await untilTypefaces(page);
      const sum = async () => (await findShifts(page)).reduce((sum, { value }) => sum + value, 0);
      expect(await sum(), `${path} at ${width} px`).toBeLessThan(0.01);

      // The next page has them from the cache, without a request.
      await page.goto(thanks.path);
      await untilTypefaces(page);
      expect(await sum(), `after ${path} at ${width} px`).toBeLessThan(0.01);
      await page.close();
    }
});

test("the first frame asks for no typeface, also without scripts", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) requests++;
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Animation.enable");
  await devtools.send("Animation.setPlaybackRate", { playbackRate: 0 });
  await page.goto(siteUrl + privacyPolicy.path);
  await page.screenshot();
  expect(requests).toBe(0);
  await devtools.send("Animation.setPlaybackRate", { playbackRate: 1 });
  await expect.poll(() => requests).toBe(2);
  await context.close();
});

test("nothing moves while the rest of the page arrives", async ({ page }) => {
  await page.addInitScript(watchShifts);
  // Before the drawing of the hero, in its middle, and in the leaves of the first stem.
  for (const boundary of ["</ol>", "<circle", 'id="stem-leaves"']) {
    const proxy = await serveInTwoParts(boundary);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const { promise, resolve: sendRest } = Promise.withResolvers<void>();
      proxy.rest = promise;
      await page.goto(proxy.url, { waitUntil: "commit" });
      await expect(page.locator("#hero figcaption")).toBeVisible();
      await untilTypefaces(page);
      const before = await findShifts(page);
      sendRest();
      await page.waitForLoadState();
      expect((await findShifts(page)).slice(before.length), `${boundary}, ${width} px`).toEqual([]);
    }
    proxy.close();
  }
});

test("late scripts and scrolling cause no layout shift", { tag: "@rare" }, async ({ page }) => {
  await page.addInitScript(watchShifts);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const releaseScripts = await holdRequests(page, "**/_astro/*.js");
    await page.goto("/", { waitUntil: "commit" });
    await untilTypefaces(page);
    const before = await findShifts(page);
    await expect(page.locator("astro-island[ssr]")).toHaveCount(1);
    await page.locator("#contact form").scrollIntoViewIfNeeded();
    releaseScripts();
    await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
    await page.locator("footer").scrollIntoViewIfNeeded();
    await untilIdle(page);
    expect((await findShifts(page)).slice(before.length), `${width} px`).toEqual([]);
  }
});

test("the fern touches the top of each bar, and each step stands below its bar", { tag: "@rare" }, async ({ page }) => {
  await page.goto("/");
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const bars = await page.locator("#hero figure").evaluate((figure) => {
      const stems = [...figure.querySelectorAll<SVGPathElement>("span path")];
      const bars = [...figure.querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect());
      const steps = [...figure.querySelectorAll("li")].map((step) => step.getBoundingClientRect());
      return [...figure.querySelectorAll("span ~ svg > circle")].map((mark, index) => {
        const { x, y, width, height } = mark.getBoundingClientRect();
        const middle = new DOMPoint(x + width / 2, y + height / 2);
        const [bar, step, next] = [bars[index], steps[index], steps[index + 1]];
        return {
          barEndsAtMark: bar && Math.abs(bar.top - middle.y) < 1 && Math.abs(bar.left + bar.width / 2 - middle.x) < 1,
          isOnStem: stems.some((stem) => stem.isPointInFill(middle.matrixTransform(stem.getScreenCTM()?.inverse()))),
          stepIsBelow: step && step.top > y && Math.abs(step.left + step.width / 2 - middle.x) < 2,
          stepEndsBeforeNext: step && (!next || step.right + 3 < next.left),
        };
      });
    });
    const asDrawn = { barEndsAtMark: true, isOnStem: true, stepIsBelow: true, stepEndsBeforeNext: true };
    expect(bars, `at ${width} px`).toEqual(hero.steps.map(() => asDrawn));
  }
});

test("the fern of the hero grows within 2.5 s, by transform and opacity only", { tag: "@rare" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  const fern = await page.locator("#hero figure").evaluate((figure: HTMLElement) => {
    // They begin anew: on a busy machine they may have ended before.
    figure.style.display = "none";
    figure.getBoundingClientRect();
    figure.style.display = "";
    const all = figure.getAnimations({ subtree: true });
    const effects = all.filter(({ timeline }) => timeline === document.timeline).map(({ effect }) => effect);
    const names = effects.flatMap((effect) => (effect as KeyframeEffect).getKeyframes()).flatMap(Object.keys);
    return {
      endMs: Math.max(...effects.map((effect) => Number(effect?.getComputedTiming().endTime))),
      animated: [...new Set(names)].filter((name) => !/offset|easing|composite/i.test(name)).sort(),
    };
  });
  expect(fern.endMs).toBeLessThanOrEqual(2500);
  expect(fern.animated).toEqual(["opacity", "transform"]);
});

test("text in a fallback font has the same width as in the web font, within 2.5 %", { tag: "@rare" }, async ({
  page,
}) => {
  await page.goto("/");
  const widths = await page.evaluate(async () => {
    const context = document.createElement("canvas").getContext("2d");
    const widthOf = async (weight: number, family: string, text: string) => {
      const font = `${weight} 100px ${family}`;
      const faces = await document.fonts.load(font, text);
      if (!context || faces.length === 0) return undefined;
      context.font = font;
      return context.measureText(text).width;
    };
    const compare = async (weight: number, selector: string) => {
      const elements = [...document.querySelectorAll(selector)];
      const [own = "", standIn = ""] = elements[0] ? getComputedStyle(elements[0]).fontFamily.split(",") : [];
      const text = elements.map(({ textContent }) => textContent).join(" ");
      return { ours: await widthOf(weight, own, text), theirs: await widthOf(weight, standIn, text) };
    };
    return [await compare(600, "h1, h2, h3"), await compare(400, "main p"), await compare(600, "main p")];
  });
  for (const { ours, theirs } of widths) {
    expect(ours).toBeGreaterThan(0);
    // The fallback typefaces are scaled versions of Times and Arial. The system therefore needs these two fonts, or
    // fonts whose characters have the same widths.
    expect(Math.abs((theirs ?? ours ?? 0) / (ours ?? 1) - 1)).toBeLessThan(0.025);
  }
});

async function untilTypefaces(page: Page) {
  await expect.poll(() => loadedTypefaces(page)).toBe(2);
}

async function untilPainted(page: Page) {
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
}

async function expectBelowHeader(page: Page, id: string) {
  await expect(page).toHaveURL(new RegExp(`#${id}$`));
  await expect
    .poll(async () => {
      const target = await page.locator(`#${id}`).boundingBox();
      // The anchor of an interest is empty, and at the start of its section.
      const heading = await page.locator(`#${id} :is(h2, h3), #${id}:empty ~ h2`).first().boundingBox();
      const header = await page.getByRole("banner").boundingBox();
      if (!target || !heading || !header) return "not there";
      const bottom = header.y + header.height;
      return heading.y >= bottom && target.y < 400 ? "below the header" : `heading ${heading.y}, header ${bottom}`;
    })
    .toBe("below the header");
}
