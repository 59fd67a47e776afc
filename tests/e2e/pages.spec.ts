import { contactMessages, pageMessages } from "#content/messages";
import { siteUrl } from "./support/address.ts";
import { expectNothingForAnAuditor } from "./support/audit.ts";
import { expect, expectComplaint, test } from "./support/fixtures.ts";
import { listedPages } from "./support/public-pages.ts";

for (const { path, title, description, unlisted } of listedPages) {
  test(`${path} has its title, description and one address`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(page.locator("meta[name=description]")).toHaveAttribute("content", description);
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute(
      "href",
      path === "/" ? /^http.*\d\/?$/ : siteUrl + path,
    );
    await expect(page.locator("meta[name=robots]")).toHaveCount(unlisted ? 1 : 0);
    await expect(page.locator("h1")).toHaveCount(1);
  });
}

for (const [path, sections] of [
  ["/privacy-policy", 11],
  ["/terms-of-service", 10],
] as const) {
  test(`${path} has ${sections} numbered sections, its dates and the age of 13`, async ({ page }) => {
    await page.goto(path);
    const headings = await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
    expect(headings.map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: sections }, (_, at) => at + 1),
    );
    const text = await page.getByRole("main").textContent();
    for (const part of ["01.09.2025", "05.09.2025", "13", "verified parental consent", "Leaf & Trail"]) {
      expect(text).toContain(part);
    }
  });
}

test("an unknown path is a 404 with its words, a link home, and a line in the console", async ({ page }) => {
  expectComplaint("/no/such/path");
  expectComplaint("404");
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));

  const answer = await page.goto("/no/such/path?private=1");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText(pageMessages.notFound)).toBeVisible();
  expect(lines.some((line) => line.includes("/no/such/path"))).toBe(true);

  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL("/");
});

test("the thanks of the form without JavaScript are a page of their own", async ({ page }) => {
  await page.goto("/thanks");
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
});

test("a failure on the server's side is the generic screen for a browser", async ({ page }) => {
  expectComplaint("413");
  await page.goto("/");
  const answer = page.waitForNavigation();
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, { action: "/contact", method: "post" });
    const field = Object.assign(document.createElement("textarea"), { name: "name", value: "x".repeat(100_000) });
    form.append(field);
    document.body.append(form);
    form.submit();
  });
  expect((await answer)?.status()).toBe(413);
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(page.getByText("Payload Too Large")).toBeVisible();
  await expectNothingForAnAuditor(page);
});

test("an island that fails shows the generic screen with its message", async ({ page, draft, fillIn }) => {
  expectComplaint("");
  await page.addInitScript(() => {
    Object.defineProperty(FormData.prototype, "get", {
      value: () => {
        throw new Error("The fields could not be read.");
      },
    });
  });
  await page.goto("/");
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(page.getByText("The fields could not be read.")).toBeVisible();
});

test("fonts bring their licences, and every page its policy", async ({ request }) => {
  for (const name of ["fraunces", "figtree"]) {
    expect(await (await request.get(`/fonts/LICENSE-${name}.txt`)).text()).toContain(
      "SIL Open Font License".toUpperCase(),
    );
  }
  for (const { path } of listedPages) {
    const policy = (await request.get(path)).headers()["content-security-policy"] ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.match(/script-src[^;]*/)?.[0]).not.toContain("unsafe-inline");
  }
});
