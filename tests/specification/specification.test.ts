// The texts, numbers and addresses that docs/specification.md fixes, to the letter. A change here is a change of the
// product's promise.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { authWords } from "#content/auth";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { imprint } from "#content/imprint";
import { inboxWords } from "#content/inbox";
import * as landing from "#content/landing";
import * as messages from "#content/messages";
import { accountLink, inboxLink, login, sectionLinks, workWithUs } from "#content/navigation";
import { pages } from "#content/page-titles";
import { hostedMessages } from "#content/prepared-mail";
import { projects } from "#content/projects";
import { redirects } from "#content/redirects";
import { secondFactorWords } from "#content/second-factor";
import { services } from "#content/services";
import { reasons, reasonsIntroduction } from "#content/why-work-with-us";
import { interests, lengthMax, waitSeconds } from "#validation/contact";
import { serveBuiltSite } from "../support/built-site.ts";
import { testSiteSettings } from "../support/site.ts";

/** Owners replace the words of the example, and the facts about its company (docs/specification.md#the-example). */
const isExample = brand.name === "Fernway";

/** This text, or whatever words an owner has in its place. */
const text = (words: string): string => (isExample ? words : expect.stringMatching(/\S/));

const site = await serveBuiltSite();

test("every message", () => {
  expect({ ...messages }).toEqual({
    contactMessages: {
      noInterest: text("Please select what you're interested in."),
      tooFast: text("You're sending too fast. Please wait a few seconds and try again."),
      notSaved: text("Failed to save submission"),
      notSent: text("Failed to send. Please try again."),
      sent: text("Thanks! Your application was sent."),
      noName: text("Please enter your name."),
      noCompany: text("Please enter your company."),
      noEmail: text("Please enter a valid email address."),
      foreign: text("Please use the form on our own page."),
    },
    pageMessages: { notFound: text("Oops! Page not found"), unexpected: text("Unexpected Application Error") },
    authMessages: {
      loggedIn: text("Logged in successfully"),
      notLoggedIn: text("Login failed"),
      signedUp: text("Sign up successful. Check your email to confirm."),
      notSignedUp: text("Sign up failed"),
    },
    inboxMessages: {
      loading: text("Loading…"),
      empty: text("No submissions yet."),
      notAdmin: text("You need admin access to view this page."),
      refused: text("You do not have permission to view contacts."),
      notLoaded: text("Failed to load contacts"),
    },
  });
});

test("other fixed words", () => {
  expect(contactWords.sending).toEqual(text("Sending..."));
  expect(hostedMessages.notSaved).toEqual(
    text(`Your details could not be saved. Please write to ${brand.email} instead.`),
  );
  expect([authWords.login.busy, authWords.login.toggle]).toEqual(["Logging in…", "No account? Sign up"].map(text));
  expect([authWords.signup.busy, authWords.signup.toggle]).toEqual(["Signing up…", "Have an account? Login"].map(text));
  expect([inboxWords.logout, inboxWords.noCompany]).toEqual(["Logout", "—"].map(text));
  expect(inboxWords.home).toEqual({ label: text("Home"), href: "/" });
  expect(secondFactorWords.required).toMatch(isExample ? /^On this site, administrators need two-step login\./ : /\S/);
  expect(() => createClient("", "key")).toThrow("supabaseUrl is required.");
  expect(() => createClient("http://localhost", "")).toThrow("supabaseKey is required.");
});

test("limits and interests", () => {
  expect({ lengthMax, waitSeconds }).toEqual({
    lengthMax: { name: 120, company: 160, email: 160 },
    waitSeconds: 30,
  });
  expect(interests).toEqual(["consulting", "co-development", "partnerships"]);
  expect(contactWords.interests.map(({ value, label }) => [value, label])).toEqual([
    ["consulting", text("Consulting")],
    ["co-development", text("Co-development")],
    ["partnerships", text("Partnerships")],
  ]);
});

test("the links of header and landing page", async () => {
  const link = ({ label, href }: { label: string; href: string }) => [label, href];
  expect([...sectionLinks, workWithUs, login, inboxLink, accountLink].map(link)).toEqual([
    [text("About"), "/#about"],
    [text("Services"), "/#services"],
    [text("Case Studies"), "/#case-studies"],
    [text("Contact"), "/#contact"],
    [text("Work With Us"), "/#contact"],
    [text("Login"), "/auth"],
    [text("Contacts"), "/admin/contacts"],
    [text("Account"), "/account"],
  ]);
  const $ = await site.open("/");
  const linksIn = (area: string) =>
    $(`${area} a`)
      .get()
      .map((each) => [$(each).text().trim(), $(each).attr("href")]);
  expect(linksIn("header nav")).toEqual(expect.arrayContaining([...sectionLinks, workWithUs, login].map(link)));
  const { hero, servicesIntroduction } = landing;
  expect([hero.workWithUs, hero.seeOurWork, servicesIntroduction.call, reasonsIntroduction.call].map(link)).toEqual([
    [text("Work With Us"), "/#contact"],
    [text("See Our Work"), "/#current-projects"],
    [text("Book a Strategy Call"), "/#contact-consulting"],
    [text("Partner With Us"), "/#contact-partnerships"],
  ]);
  expect(linksIn("footer").map(([, href]) => href)).toEqual(
    expect.arrayContaining(["/privacy-policy", "/terms-of-service"]),
  );
  expect($("footer").text()).toContain(brand.copyright);
});

test("the landing page has its six anchors in their order", async () => {
  const $ = await site.open("/");
  const anchors = ["hero", "about", "services", "case-studies", "current-projects", "contact"];
  const ids = $("[id]")
    .get()
    .map(({ attribs }) => attribs.id ?? "");
  expect(ids.filter((id) => anchors.includes(id))).toEqual(anchors);
});

test("the addresses of the pages, and which of them the sitemap has", () => {
  const paths = (unlisted: boolean) =>
    pages.filter((page) => !page.anywhere && Boolean(page.unlisted) === unlisted).map(({ path }) => path);
  const imprintPath = imprint.sections.length > 0 ? ["/imprint"] : [];
  expect(paths(false).toSorted()).toEqual(["/", ...imprintPath, "/privacy-policy", "/terms-of-service"]);
  expect(paths(true).toSorted()).toEqual(["/account", "/admin/contacts", "/auth", "/thanks"]);
});

test.each(Object.entries(redirects))(
  "%s leads to %s, also where only the built files are served",
  async (path, page) => {
    for (const spelling of [path, `${path}/`, `${path}.html`]) {
      const { statusCode, headers } = await site.get(`${spelling}?contact=1`);
      expect([spelling, statusCode, headers.location]).toEqual([spelling, 301, `${page}?contact=1`]);
    }
    const $ = load(await readFile(resolve(testSiteSettings.BUILD_DIR, `.${path}.html`)));
    expect($("meta[http-equiv=refresh]").attr("content")).toBe(`0;url=${page}`);
  },
);

test("the imprint has a page and a link in the footer exactly if it has text", async () => {
  const isFilled = imprint.sections.length > 0;
  expect((await site.get("/imprint")).statusCode).toBe(isFilled ? 200 : 404);
  expect((await site.open("/"))("footer a[href='/imprint']")).toHaveLength(isFilled ? 1 : 0);
});

test("there are three to six services, and at least one project", () => {
  expect(services.length).toBeGreaterThanOrEqual(3);
  expect(services.length).toBeLessThanOrEqual(6);
  expect(projects.length).toBeGreaterThanOrEqual(1);
});

describe.runIf(isExample)("the example", () => {
  test("names and sections of the landing page", () => {
    expect(landing.hero.headline.join(" ")).toBe("Scaling companies with AI strategies that work");
    expect(
      [landing.about, landing.servicesIntroduction, landing.caseStudiesIntroduction].map(({ label }) => label),
    ).toEqual(["About Us", "Services", "Case Studies"]);
    expect(landing.caseStudiesIntroduction.projects).toBe("Current Projects");
    expect([reasonsIntroduction.label, landing.contactIntroduction.label]).toEqual(["Why Work With Us", "Contact Us"]);
    expect(brand.copyright).toBe(`© 2025 ${brand.legalName}`);
    expect(services.map(({ name }) => name)).toEqual([
      "AI Marketing Consulting",
      "Content Strategy & Creation",
      "Go-to-Market Execution",
      "Partnerships & Co-Development",
    ]);
    expect(projects.map(({ slug }) => slug)).toEqual(["nature-discovery", "memory-game", "geography-game"]);
    expect(projects[0]).toMatchObject({
      status: expect.any(String),
      link: { href: expect.any(String), text: expect.any(String) },
    });
    expect(reasons).toHaveLength(4);
  });

  test.each([
    ["/privacy-policy", 11],
    ["/terms-of-service", 10],
  ])("%s has %d numbered sections, both dates, the minimum age and the app", async (path, sections) => {
    const $ = await site.open(path);
    const numbers = $("main h2")
      .get()
      .map((heading) => Number.parseInt($(heading).text(), 10));
    expect(numbers).toEqual(Array.from({ length: sections }, (_, at) => at + 1));
    const text = $("main").text();
    for (const part of ["Effective date: 01.09.2025", "Last updated: 05.09.2025", brand.legalName, brand.app])
      expect(text).toContain(part);
    expect(text).toMatch(/13 (and|or) over/);
    expect(text).toMatch(/under 13[^.]*verified parental consent/);
  });
});
