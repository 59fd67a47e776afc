import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { hero, servicesIntroduction } from "#content/landing";
import { contactMessages } from "#content/messages";
import { preparedMail } from "#content/prepared-mail";
import { reasonsIntroduction } from "#content/why-work-with-us";
import { expect, expectConsoleError, holdRequests, labelOf, test, untilIdle } from "./support/fixtures.ts";

test("text that was typed before hydration is kept and sent", async ({ page, draft, fillIn, storedFrom }) => {
  const release = await holdRequests(page, "**/_astro/*.js");
  await page.goto("/", { waitUntil: "commit" });
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await fillIn(draft);

  release();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("a link chooses its interest before hydration, and never changes the visitor's own choice", {
  tag: "@rare",
}, async ({ page }) => {
  const release = await holdRequests(page, "**/_astro/*.js");
  const follow = ({ label }: { label: string }) => page.getByRole("main").getByRole("link", { name: label }).click();
  const chosen = page.getByRole("radio", { checked: true });
  await page.goto("/");
  await follow(hero.workWithUs);
  await expect(chosen).toHaveCount(0);
  await follow(servicesIntroduction.call);
  await expect(chosen).toHaveAccessibleName(labelOf("consulting"));
  await follow(reasonsIntroduction.call);
  await expect(chosen).toHaveAccessibleName(labelOf("partnerships"));

  release();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(chosen).toHaveAccessibleName(labelOf("partnerships"));
  for (const own of ["co-development", "partnerships"] as const)
    await page.getByRole("radio", { name: labelOf(own) }).check();
  await follow(servicesIntroduction.call);
  await expect(chosen).toHaveAccessibleName(labelOf("partnerships"));
  await page.goBack();
  await expect(chosen).toHaveAccessibleName(labelOf("partnerships"));

  await page.goto("/privacy-policy");
  await page.goto(servicesIntroduction.call.href);
  await expect(chosen).toHaveAccessibleName(labelOf("consulting"));
  await page.locator("#contact form").evaluate((form: HTMLFormElement) => form.reset());
  await page.reload();
  await expect(chosen).toHaveCount(0);
});

test("the form is hydrated near the window", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await untilIdle(page);
  await expect(page.locator("astro-island[ssr]")).toHaveCount(1);
  const form = (await page.locator("form[action^='/contact']").boundingBox())?.y ?? 0;
  await page.evaluate((above) => scrollTo({ top: above, behavior: "instant" }), form - 900 - 300);
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(page.locator("form[action^='/contact']")).not.toBeInViewport();
});

test("hydration keeps the mail that a full database offers", { tag: "@rare" }, async ({
  page,
  draft,
  fillIn,
  storedFrom,
  database,
}) => {
  expectConsoleError("503");
  expectConsoleError("Failed to load resource");
  expectConsoleError("Failed to fetch dynamically imported module");
  await page.route("**/_astro/*.js", (route) => route.abort(), { times: 10 });
  await page.goto("/");
  await fillIn(draft);
  await database.query(fillDiskFor(draft.email));
  await page.unroute("**/_astro/*.js");
  await page.getByRole("button", { name: contactWords.send }).click();

  const message = page.getByText(contactMessages.notSaved);
  const mail = page.getByRole("link", { name: preparedMail.open });
  await expect(message).toBeVisible();
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(message).toBeVisible();
  await expect(mail).toHaveAttribute(
    "href",
    new RegExp(`^mailto:${brand.email}\\?.*${draft.email.replace("@", "%40")}`),
  );
  await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

  await database.query("drop trigger full_disk on contacts");
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await expect(mail).toBeHidden();
  await expect(page.getByLabel(contactWords.email)).toHaveValue("");
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("the page after a contact that was sent before hydration drops the draft", async ({ page }) => {
  await page.goto("/thanks");
  await page.evaluate(() => sessionStorage.setItem("contact-draft", "{}"));
  await page.reload();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("contact-draft"))).toBeNull();
});

/** Refuses contacts from this address as PostgreSQL does while its disk is full. */
const fillDiskFor = (email: string) => `
  create or replace function private.fill_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on contacts
    for each row when (new.email = '${email}') execute function private.fill_disk()`;
