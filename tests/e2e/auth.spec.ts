import { arrivalWords } from "#content/arrival";
import { authWords, codeWords, mailAgainWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { expect, test } from "./support/accounts.ts";
import { expectNothingForAnAuditor } from "./support/audit.ts";
import { expectComplaint } from "./support/fixtures.ts";

test("a login says so while it works, ends on the landing page, and says it was successful once", async ({
  page,
  member,
}) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/auth/v1/token*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/auth");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByRole("button", { name: "Logging in…" })).toBeDisabled();

  release();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();

  await page.reload();
  await page.waitForLoadState("networkidle");
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
  await page.goto("/auth");
  await expect(page).toHaveURL("/");
  await page.waitForLoadState("networkidle");
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
});

test("a wrong password and an unknown address hear the same, with the focus on it", async ({ page, member }) => {
  expectComplaint("400");
  await page.goto("/auth");
  for (const email of [member.email, `nobody-${member.email}`]) {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByText("Invalid login credentials")).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue(email);
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeEnabled();
    // The first message would otherwise stand for the second.
    await page.reload();
  }
});

test("an address that is not confirmed can have the email again", async ({ page, stranger, codeFor, database }) => {
  expectComplaint("400");
  await page.goto("/auth");
  await page.getByRole("button", { name: "No account? Sign up" }).click();
  await page.getByLabel("Email").fill(stranger.email);
  await page.getByLabel("Password").fill(stranger.password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(page.getByText(authMessages.signedUp)).toBeVisible();
  // Another mail to one address waits for a minute; here the minute is over.
  await database.query("delete from auth.mail_marks");

  await page.getByRole("button", { name: "Have an account? Login" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(stranger.email);
  await page.getByLabel("Password").fill(stranger.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByText("Email not confirmed")).toBeFocused();

  await page.getByRole("button", { name: mailAgainWords.send }).click();
  await expect(page.getByText(mailAgainWords.sent)).toBeVisible();
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email, 2));
  await page.getByRole("button", { name: codeWords.submit }).click();
  await expect(page.getByText(arrivalWords.confirmed)).toBeVisible();
});

test("the server's own words about a sign-up are shown", async ({ page, stranger }) => {
  expectComplaint("422");
  await page.goto("/auth");
  await page.getByRole("button", { name: "No account? Sign up" }).click();
  await page.getByLabel("Email").fill(stranger.email);
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(page.getByText("Password should be at least 8 characters.")).toBeFocused();
});

for (const [mode, path, submit, message] of [
  ["login", "**/auth/v1/token*", "Login", authMessages.notLoggedIn],
  ["signup", "**/auth/v1/signup*", "Sign up", authMessages.notSignedUp],
] as const) {
  test(`without an answer the ${mode} says “${message}”`, async ({ page, stranger }) => {
    expectComplaint("Failed to load resource");
    await page.route(path, (route) => route.abort());
    await page.goto("/auth");
    if (mode === "signup") await page.getByRole("button", { name: authWords.login.toggle }).click();
    await page.getByLabel("Email").fill(stranger.email);
    await page.getByLabel("Password").fill(stranger.password);
    await page.getByRole("button", { name: submit, exact: true }).click();
    await expect(page.getByText(message)).toBeFocused();
  });
}

test("what was typed stays when the mode changes, and password managers know which password is meant", async ({
  page,
}) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill("ada@example.com");
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username");
  await expect(page.getByLabel("Password")).toHaveAttribute("autocomplete", "current-password");
  await page.getByRole("button", { name: "No account? Sign up" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("ada@example.com");
  await expect(page.getByLabel("Password")).toHaveAttribute("autocomplete", "new-password");
  await page.getByRole("button", { name: "Have an account? Login" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("ada@example.com");
});

test("the whole way works with the keyboard alone", async ({ page, member }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(member.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});

test("a login in another tab leads this one to the landing page, without a message of its own", async ({
  page,
  context,
  member,
  logIn,
}) => {
  await page.goto("/auth");
  await page.waitForLoadState("networkidle");
  await logIn(member, await context.newPage());
  await expect(page).toHaveURL("/");
  await page.waitForLoadState("networkidle");
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
});

test("a session left in the browser is ended on the server before the next login", async ({
  page,
  member,
  openSessions,
  sessionOf,
}) => {
  const left = await sessionOf(member);
  const [before] = await openSessions(member.email);
  await page.goto("/auth");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await expect(page.getByRole("button", { name: "Login", exact: true })).toBeEnabled();
  await page.evaluate((session) => window.localStorage.setItem("sb-localhost-auth-token", session), left);

  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(new URL(request.url()).pathname);
  });
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page).toHaveURL("/");
  expect(calls.slice(0, 2)).toEqual(["/auth/v1/logout", "/auth/v1/token"]);
  const after = await openSessions(member.email);
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
});

test.describe("before React wakes", () => {
  test("nothing can be sent, and what was typed survives", async ({ page, member }) => {
    let wake = () => {};
    const asleep = new Promise<void>((done) => {
      wake = done;
    });
    await page.route("**/_astro/*.js", async (route) => {
      await asleep;
      await route.continue();
    });
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));

    await page.goto("/auth", { waitUntil: "commit" });
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password").fill(member.password);
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeDisabled();
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/\/auth$/);
    expect(posts).toEqual([]);

    wake();
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeEnabled();
    await expect(page.getByLabel("Password")).toHaveValue(member.password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page).toHaveURL("/");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the screen says what it needs", async ({ page }) => {
    await page.goto("/auth");
    await expect(page.locator("noscript p")).toBeVisible();
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeDisabled();
  });
});

test("a refused login has nothing for an auditor to find", async ({ page, stranger }) => {
  expectComplaint("400");
  await page.goto("/auth");
  await page.getByLabel("Email").fill(stranger.email);
  await page.getByLabel("Password").fill(stranger.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByText("Invalid login credentials")).toBeVisible();
  await expectNothingForAnAuditor(page);
});
