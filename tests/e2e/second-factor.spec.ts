import { readFile } from "node:fs/promises";
import { accountWords } from "#content/account";
import { secondFactorWords } from "#content/second-factor";
import { totpCode } from "../support/totp.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { expect, submitCode, test } from "./support/second-factor.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const { naming, adding, codes, list, removal } = secondFactorWords;

test("by keyboard, an admin sets up two apps and removes them", async ({
  page,
  admin,
  startSession,
  sessionOf,
  openSessions,
}) => {
  expectConsoleError("422");
  await sessionOf(admin);
  await startSession(admin);
  const { press, write } = await keyboardUser(page);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const good = { within: "#second-factor" };
  const section = page.locator("#second-factor");
  const secret = async () => (await section.locator("code").innerText()).replaceAll(" ", "");

  // The rule holds for all accounts of a database, and other tests use the same one.
  const asksForStep = "**/rest/v1/rpc/second_factor_step";
  await page.route(asksForStep, (route) => route.fulfill({ json: "set_up" }));
  await page.goto("/account#second-factor");
  await expect(section.getByRole("heading", { name: secondFactorWords.title })).toBeFocused();
  await expect(page.getByText(secondFactorWords.required)).toBeVisible();
  await press(button(secondFactorWords.begin));
  await expect(page.getByLabel(naming.label, { exact: true })).toBeFocused();
  await press(button(naming.cancel));
  await expect(button(secondFactorWords.begin)).toBeFocused();
  await page.keyboard.press("Enter");
  await press(button(naming.submit));
  await expect(page.getByRole("heading", { name: adding.title })).toBeFocused();
  const picture = page.getByRole("img", { name: adding.picture });
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);
  const link = page.getByRole("link", { name: adding.open });
  await expect(link).toHaveAttribute("href", new RegExp(`^otpauth://totp/.*secret=${await secret()}`));
  const wrong = String((Number(totpCode(await secret())) + 1) % 1_000_000).padStart(6, "0");
  await write(page.getByLabel(adding.code), wrong);
  await press(button(adding.submit));
  await expect(page.getByText(adding.wrong)).toBeFocused();
  await expectGoodPage(page, good);
  await page.unroute(asksForStep);
  await write(page.getByLabel(adding.code), totpCode(await secret()));
  await press(button(adding.submit));

  await expect(page.getByRole("heading", { name: codes.shown.title })).toBeFocused();
  const shown = await section.getByRole("listitem").allInnerTexts();
  expect(shown).toHaveLength(10);
  expect(await openSessions(admin.email)).toHaveLength(1);
  await expectGoodPage(page, good);
  const download = page.waitForEvent("download");
  await press(button(codes.shown.save));
  const file = await readFile(await (await download).path(), "utf8");
  expect(file.split("\n").filter((line) => shown.includes(line))).toEqual(shown);
  await press(button(codes.shown.done));
  await expect(page.getByText(codes.kept)).toBeFocused();

  await press(page.getByRole("link", { name: secondFactorWords.toInbox }));
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByText(codes.left(10))).toBeVisible();
  await expect(page.getByText(shown[0] ?? "")).toHaveCount(0);
  await press(button(secondFactorWords.addAnother));
  await write(page.getByLabel(naming.label, { exact: true }), "Tablet");
  await press(button(naming.submit));
  await write(page.getByLabel(adding.code), totpCode(await secret()).replace(/(?=...$)/, "-"));
  await press(button(adding.submit));
  await expect(page.getByText(secondFactorWords.added("Tablet"))).toBeFocused();
  await expectGoodPage(page, good);

  // The session has used the tablet last, so without the phone it is still at the same level.
  for (const [name, said] of [
    [naming.suggestion, list.removed(naming.suggestion)],
    ["Tablet", list.removedLast],
  ] as const) {
    await press(button(list.removeWhich(name)));
    await press(button(removal.confirm));
    await expect(page.getByText(said)).toBeFocused();
  }
  await expect(button(secondFactorWords.begin)).toBeVisible();
});

test("/account asks for the second factor, which leads back to it", async ({ page, admin, addApp, startSession }) => {
  expectConsoleError("401");
  // The answer for an account that has made no recovery codes.
  expectConsoleError("404");
  const secret = await addApp(admin);
  await startSession(admin);
  const remove = page.getByRole("button", { name: list.removeWhich("Phone") });
  await page.goto("/account");
  await page.getByLabel(accountWords.email.label).fill(`new-${admin.email}`);
  await page.getByRole("button", { name: accountWords.email.submit }).click();
  await expect(page.getByText(secondFactorWords.refusals.insufficient_aal ?? "")).toBeFocused();
  await expect(remove).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expectNoAccessibilityProblems(page, { within: "#second-factor" });
  await page.getByRole("button", { name: secondFactorWords.verify.button }).click();
  await submitCode(page, totpCode(secret));
  await expect(page).toHaveURL("/account#second-factor");
  await expect(page.getByRole("heading", { name: secondFactorWords.title })).toBeFocused();
  await expect(remove).toBeVisible();
});
