import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { authMessages } from "#content/messages";
import { defaultPublicKey } from "#server/settings";
import { siteUrl } from "../support/site.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { submitConfirmation, submitForgotPassword, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError, untilIdle } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { findTextProblems, smallTargets } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";

test("sign-up and confirmation by mailed link work with the keyboard alone", async ({ page, stranger, linkFor }) => {
  const keyboard = await keyboardUser(page);
  await submitSignUp(page, stranger, keyboard);
  await expect(page.getByText(authMessages.signedUp)).toBeFocused();
  await expect(page.getByText(stranger.email)).toBeVisible();
  await expect(page).toHaveURL("/auth");

  await page.goto(await linkFor(stranger.email));
  await expect(page).toHaveURL("/auth");
  await expect(page.getByText(linkWords.signup.text)).toBeVisible();
  await expect(page.getByLabel(passwordWords.label)).toHaveCount(0);
  await keyboard.press(page.getByRole("button", { name: linkWords.signup.button }));
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
  await page.goto("/auth");
  await expect(page).toHaveURL("/");
});

test("a password reset by mailed link works with the keyboard alone", async ({
  page,
  member,
  linkFor,
  openSessions,
  sessionOf,
}) => {
  await sessionOf(member);
  const [before] = await openSessions(member.email);
  const keyboard = await keyboardUser(page);
  await submitForgotPassword(page, member.email, keyboard);
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();

  await page.goto(await linkFor(member.email));
  await keyboard.press(page.getByRole("button", { name: linkWords.recovery.button }));
  await expect(page.getByLabel(passwordWords.account)).toHaveValue(member.email);
  await expect(page.getByLabel(passwordWords.label)).toHaveAttribute("autocomplete", "new-password");
  await keyboard.write(page.getByLabel(passwordWords.label), newPassword);
  await keyboard.press(page.getByRole("button", { name: passwordWords.submit }));
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  expect(await openSessions(member.email)).toHaveLength(1);
  expect(await openSessions(member.email)).not.toContain(before);
  await sessionOf({ email: member.email, password: newPassword });
});

test("a mailed link stays valid after a link scanner sends HEAD or GET or opens the page", async ({
  page,
  browser,
  stranger,
  signUp,
  linkFor,
}) => {
  await signUp(stranger);
  const link = await linkFor(stranger.email);
  const calls: string[] = [];
  expect((await fetch(link, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(link)).status).toBe(200);
  const scanner = await browser.newPage();
  scanner.on("request", (request) => calls.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
  await scanner.goto(link);
  await expect(scanner.getByRole("button", { name: linkWords.signup.button })).toBeVisible();
  await untilIdle(scanner);
  await scanner.close();
  expect(calls.length).toBeGreaterThan(3);
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "none";
  expect(calls.filter((call) => call.includes(token) || call.includes("/verify"))).toEqual([]);

  await page.goto(link);
  await submitConfirmation(page, newPassword);
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
});

test("/auth removes a mailed link's token from the URL but keeps the token after a reload", async ({
  page,
  baseURL,
  stranger,
  signUp,
  linkFor,
}) => {
  await signUp(stranger);
  await page.goto("/auth");
  // This acts like pasting the link into the address bar: only the fragment changes, so the browser loads nothing.
  const link = await linkFor(stranger.email);
  await page.evaluate((address) => window.location.assign(address), link);
  await expect(page.getByRole("button", { name: linkWords.signup.button })).toBeVisible();
  expect(page.url()).toBe(`${baseURL}/auth`);
  await page.reload();
  await submitConfirmation(page, newPassword);
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
});

test("a mailed link works in any browser, but only once", async ({
  page,
  browser,
  stranger,
  signUp,
  linkFor,
  logIn,
}) => {
  expectConsoleError("403");
  await signUp(stranger);
  const link = await linkFor(stranger.email);
  const phone = await browser.newPage();
  await phone.goto(link);
  await submitConfirmation(phone, newPassword);
  await expect(phone.getByText(flashMessages.confirmed)).toBeVisible();
  await phone.close();

  await page.goto(link);
  await submitConfirmation(page, "another password");
  await expect(page.getByText(linkWords.expired.signup)).toBeFocused();
  await page.getByRole("button", { name: authWords.backToLogin }).click();
  await expect(page.getByRole("heading", { name: authWords.login.title })).toBeVisible();
  await logIn({ ...stranger, password: newPassword });
});

for (const type of ["signup", "recovery"] as const) {
  test(`an expired ${type} link shows an error and offers a new mail`, async ({
    page,
    stranger,
    signUp,
    linkFor,
    codeFor,
    database,
    endMailWait,
  }) => {
    expectConsoleError("403");
    await signUp(stranger);
    const link = await linkFor(stranger.email);
    await database.query(
      `update auth.one_time_tokens set expires_at = now() - interval '1 minute'
       where user_id = (select id from auth.users where email = $1)`,
      [stranger.email],
    );
    await endMailWait(stranger.email);

    await page.goto(link.replace("type=signup", `type=${type}`));
    if (type === "signup") await submitConfirmation(page, newPassword);
    else await page.getByRole("button", { name: linkWords[type].button }).click();
    await expect(page.getByText(linkWords.expired[type])).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.type(stranger.email);
    await page.keyboard.press("Enter");
    await expect(page.getByText(mailWords.sent[type])).toBeFocused();
    await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email, 2));
    if (type === "signup") await page.getByLabel(passwordWords.label).fill(newPassword);
    await page.getByRole("button", { name: codeWords.submit }).click();
    const next = type === "signup" ? page.getByText(flashMessages.confirmed) : page.getByLabel(passwordWords.label);
    await expect(next).toBeVisible();
  });
}

test("a mailed link with another site in redirect_to leads to the landing page", async ({
  page,
  stranger,
  signUp,
  linkFor,
}) => {
  await signUp(stranger);
  const link = await linkFor(stranger.email);
  await page.goto(`${link}&redirect_to=${encodeURIComponent("https://evil.example/privacy-policy")}`);
  await submitConfirmation(page, newPassword);
  await expect(page).toHaveURL("/");
});

test("a mailed link opens its page also if the script that captures its token comes late", async ({ page }) => {
  expectConsoleError("Failed to load resource");
  await page.route("**/_astro/auth.astro*.js", (route) => route.abort());
  const refused = page.waitForEvent("requestfailed");
  await page.goto("/auth#token_hash=abc&type=signup");
  await refused;
  await expect(page.getByText(linkWords.elsewhere.text)).toBeVisible();
  await expect(page).toHaveURL("/auth");
});

test("a mailed link of an unknown type shows an error without a click", async ({ page }) => {
  await page.goto("/auth#token_hash=abc&type=magiclink");
  await expect(page.getByText(linkWords.expired.recovery)).toBeFocused();
  await expect(page).toHaveURL("/auth");
});

test("a /verify link for recovery leads to the form for a new password", async ({
  page,
  member,
  linkFor,
  sessionOf,
}) => {
  await submitForgotPassword(page, member.email);
  const fields = new URLSearchParams(new URL(await linkFor(member.email)).hash.slice(1));
  await page.goto(`/auth/v1/verify?token=${fields.get("token_hash")}&type=recovery`);
  await expect(page).toHaveURL("/auth");
  // A refused password is answered with 422, and the page shows the server's message.
  expectConsoleError("422");
  await page.getByLabel(passwordWords.label).fill(member.password);
  await page.getByRole("button", { name: passwordWords.submit }).click();
  await expect(page.getByText("New password should be different from the old password.")).toBeFocused();
  await page.getByLabel(passwordWords.label).fill("short");
  await page.getByRole("button", { name: `${passwordWords.show} ${passwordWords.subject}` }).click();
  await expect(page.getByLabel(passwordWords.label)).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: passwordWords.submit }).click();
  await expect(page.getByText("Password should be at least 8 characters.")).toBeFocused();
  await page.reload();
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await page.getByRole("button", { name: passwordWords.submit }).click();
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });
});

test("the pages for a mailed code and a new password are readable and accessible", async ({
  page,
  member,
  stranger,
  signUp,
  linkFor,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const expectNoProblems = async () => {
    await expectNoAccessibilityProblems(page, { widths: [360] });
    expect(await findTextProblems(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
  };
  await submitForgotPassword(page, member.email);
  await page.getByLabel(codeWords.label).waitFor();
  await expectNoProblems();
  await page.goto(await linkFor(member.email));
  await page.getByRole("button", { name: linkWords.recovery.button }).click();
  await page.getByLabel(passwordWords.label).waitFor();
  await expectNoProblems();

  const email = `other-${stranger.email}`;
  await signUp({ ...stranger, email });
  await page.goto(await linkFor(email));
  await page.getByText(linkWords.elsewhere.text).waitFor();
  await expectNoProblems();
});

test("a change of the address is confirmed by the links in both mailboxes", async ({
  page,
  member,
  linkFor,
  sessionOf,
}) => {
  const { access_token } = JSON.parse(await sessionOf(member));
  const newEmail = `new-${member.email}`;
  const headers = { apikey: defaultPublicKey, authorization: `Bearer ${access_token}` };
  const body = JSON.stringify({ email: newEmail });
  expect((await fetch(`${siteUrl}/auth/v1/user`, { method: "PUT", headers, body })).status).toBe(200);

  const keyboard = await keyboardUser(page);
  await page.goto(await linkFor(newEmail));
  await keyboard.press(page.getByRole("button", { name: linkWords.emailChange.button }));
  await expect(page.getByText(linkWords.emailChange.other)).toBeFocused();
  await expect(page.getByRole("button", { name: linkWords.emailChange.button })).toHaveCount(0);

  await page.goto(await linkFor(member.email));
  await keyboard.press(page.getByRole("button", { name: linkWords.emailChange.button }));
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.emailChanged)).toBeVisible();
  await sessionOf({ email: newEmail, password: member.password });
});
