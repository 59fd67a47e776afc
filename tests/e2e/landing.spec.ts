import { contactMessages } from "#content/messages";
import { projects } from "#content/projects";
import { services } from "#content/services";
import { siteUrl } from "./support/address.ts";
import { expect, test } from "./support/fixtures.ts";

const anchors = ["hero", "about", "services", "case-studies", "current-projects", "contact"];

test("everything a visitor reads is in the HTML, before any script", async ({ request }) => {
  const html = await (await request.get("/")).text();
  for (const id of anchors) expect(html).toContain(`id="${id}"`);
  for (const { name } of [...services, ...projects]) expect(html).toContain(name.replace("&", "&amp;"));
  for (const label of ["See Our Work", "Book a Strategy Call", "Partner With Us", "© 2025"]) {
    expect(html).toContain(label);
  }
  expect(html).not.toContain(contactMessages.sent);
});

for (const [label, id] of [
  ["About", "about"],
  ["Services", "services"],
  ["Case Studies", "case-studies"],
  ["Contact", "contact"],
  ["Work With Us", "contact"],
] as const) {
  test(`“${label}” in the header scrolls to ${id}, below the header`, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("banner").getByRole("link", { name: label, exact: true }).click();
    await expectBelowHeader(page, id);
  });
}

for (const [label, id] of [
  ["Work With Us", "contact"],
  ["See Our Work", "current-projects"],
  ["Book a Strategy Call", "contact"],
  ["Partner With Us", "contact"],
] as const) {
  test(`“${label}” on the page scrolls to ${id}`, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("main").getByRole("link", { name: label, exact: true }).click();
    await expectBelowHeader(page, id);
  });
}

test("Login leads to /auth", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
  await expect(page).toHaveURL("/auth");
});

test("before a visitor does anything the page asks no other host and weighs little", async ({ page, context }) => {
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const bytes = new Map<string, number>();
  const sent = { all: 0, scripts: 0, requests: 0 };
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(siteUrl) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  client.on("Network.responseReceived", ({ requestId, type }) => bytes.set(requestId, type === "Script" ? 1 : 0));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sent.requests += 1;
    sent.all += encodedDataLength;
    if (bytes.get(requestId) === 1) sent.scripts += encodedDataLength;
  });

  await page.goto("/", { waitUntil: "networkidle" });
  expect(foreign).toEqual([]);
  test.info().annotations.push({ type: "measured", description: JSON.stringify(sent) });
  expect(sent.all).toBeLessThanOrEqual(80 * 1024);
  expect(sent.scripts).toBeLessThanOrEqual(6 * 1024);
  expect(sent.requests).toBeLessThanOrEqual(8);
});

test("nothing moves while the page arrives and while it is scrolled", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/", { waitUntil: "networkidle" });
  await page.locator("footer").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBe(0);
});

for (const width of [320, 360, 768, 1440]) {
  test(`at ${width} px nothing scrolls sideways and every target can be hit`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const small = await page
      .locator("header :is(a, button):visible, main :is(a[class], button, input:not([type=radio])):visible")
      .evaluateAll((targets) => targets.filter((target) => target.getBoundingClientRect().height < 44));
    expect(small).toHaveLength(0);
  });
}

async function expectBelowHeader(page: import("@playwright/test").Page, id: string) {
  await expect(page).toHaveURL(new RegExp(`#${id}$`));
  await expect
    .poll(async () => {
      const target = await page.locator(`#${id}`).boundingBox();
      const heading = await page.locator(`#${id} :is(h2, h3)`).first().boundingBox();
      const header = await page.getByRole("banner").boundingBox();
      if (!target || !heading || !header) return "not there";
      const bottom = header.y + header.height;
      return heading.y >= bottom && target.y < 400 ? "below the header" : `heading ${heading.y}, header ${bottom}`;
    })
    .toBe("below the header");
}
