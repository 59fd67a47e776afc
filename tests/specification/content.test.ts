// Holds the site to its specification, word for word. An owner who makes words, numbers or dates their own retires this
// folder: no other test spells out what the site says.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { authWords } from "#content/auth";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { hero, servicesIntroduction } from "#content/landing";
import { authMessages, contactMessages, inboxMessages, pageMessages } from "#content/messages";
import { projects } from "#content/projects";
import { reasons, reasonsIntroduction } from "#content/reasons";
import { services } from "#content/services";
import { interests, lengthMax, waitSeconds } from "#validation/contact";

test("the messages are those of the error catalogue and of the screens, to the letter", () => {
  expect(contactMessages).toMatchObject({
    noInterest: "Please select what you're interested in.",
    tooFast: "You're sending too fast. Please wait a few seconds and try again.",
    notSaved: "Failed to save submission",
    notSent: "Failed to send. Please try again.",
    sent: "Thanks! Your application was sent.",
  });
  expect(authMessages).toMatchObject({
    loggedIn: "Logged in successfully",
    notLoggedIn: "Login failed",
    signedUp: "Sign up successful. Check your email to confirm.",
    notSignedUp: "Sign up failed",
  });
  expect(inboxMessages).toMatchObject({
    loading: "Loading…",
    empty: "No submissions yet.",
    notAdmin: "You need admin access to view this page.",
    refused: "You do not have permission to view contacts.",
    notLoaded: "Failed to load contacts",
  });
  expect(pageMessages).toMatchObject({
    notFound: "Oops! Page not found",
    unexpected: "Unexpected Application Error",
  });
});

test("the labels that the specification names are those", () => {
  expect([authWords.login.busy, authWords.signup.busy]).toEqual(["Logging in…", "Signing up…"]);
  expect([authWords.login.toggle, authWords.signup.toggle]).toEqual(["No account? Sign up", "Have an account? Login"]);
  expect(contactWords.sending).toBe("Sending...");
  expect([inboxWords.home.label, inboxWords.logout]).toEqual(["Home", "Logout"]);
});

test("the headline, and the calls that scroll, are the landing page's", () => {
  expect(hero.headline.join(" ")).toBe("Scaling companies with AI strategies that work");
  expect([hero.workWithUs, hero.seeOurWork, servicesIntroduction.call, reasonsIntroduction.call]).toEqual([
    { label: "Work With Us", href: "/#contact" },
    { label: "See Our Work", href: "/#current-projects" },
    { label: "Book a Strategy Call", href: "/#contact" },
    { label: "Partner With Us", href: "/#contact" },
  ]);
});

test("there are the four services, three projects and four reasons", () => {
  expect(services.map(({ name }) => name)).toEqual([
    "AI Marketing Consulting",
    "Content Strategy & Creation",
    "Go-to-Market Execution",
    "Partnerships & Co-Development",
  ]);
  expect(projects.map(({ slug }) => slug)).toEqual(["nature-discovery", "memory-game", "geography-game"]);
  const [app] = projects;
  expect(app).toMatchObject({
    status: expect.any(String),
    link: { href: expect.any(String), text: expect.any(String) },
  });
  expect(reasons).toHaveLength(4);
});

test("the copyright line is of the year 2025", () => {
  expect(brand.copyright).toMatch(/^© 2025 /);
});

test("the limits of a contact, and its three interests, are the specification's", () => {
  expect(lengthMax).toMatchObject({ name: 120, company: 160, email: 160 });
  expect(waitSeconds).toBe(30);
  expect(interests).toEqual(["consulting", "co-development", "partnerships"]);
});

describe.each([
  ["privacy-policy", 11],
  ["terms-of-service", 10],
])("the %s", (name, count) => {
  const text = readFileSync(new URL(`../../content/legal/${name}.md`, import.meta.url), "utf8");

  test(`has ${count} sections`, () => {
    expect(text.match(/^## \d+\. \S/gm)).toHaveLength(count);
  });

  test("carries its two dates", () => {
    expect(text).toMatch(/Effective date:\*\* 01\.09\.2025/);
    expect(text).toMatch(/Last updated:\*\* 05\.09\.2025/);
  });

  test("speaks of the company, the app, the age of 13 and parental consent", () => {
    expect(text).toContain("{company}");
    expect(text).toContain("{app}");
    expect(text).toMatch(/13 (and|or) over/);
    expect(text).toMatch(/under 13[^.]*verified parental consent/);
  });
});
