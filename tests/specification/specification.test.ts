// The texts, numbers and addresses that docs/specification.md fixes, to the letter. A change here is a change of the
// product's promise.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { load } from "cheerio";
import { afterAll, describe, expect, test } from "vitest";
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
import { exampleText, isExample } from "#tests/support/example";
import { interests, lengthMax, waitSeconds } from "#validation/contact";
import { serveBuiltSite } from "../support/built-site.ts";
import { testSiteSettings } from "../support/site.ts";

const site = await serveBuiltSite();
afterAll(site.stop);

test("every message", () => {
  expect({ ...messages }).toEqual({
    contactMessages: {
      noInterest: exampleText("Please select what you're interested in."),
      tooFast: exampleText("You're sending too fast. Please wait a few seconds and try again."),
      notSaved: exampleText("Failed to save submission"),
      notSent: exampleText("Failed to send. Please try again."),
      sent: exampleText("Thanks! Your application was sent."),
      noName: exampleText("Please enter your name."),
      noCompany: exampleText("Please enter your company."),
      noEmail: exampleText("Please enter a valid email address."),
      foreign: exampleText("Please use the form on our own page."),
    },
    pageMessages: {
      notFound: exampleText("Oops! Page not found"),
      unexpected: exampleText("Unexpected Application Error"),
    },
    authMessages: {
      loggedIn: exampleText("Logged in successfully"),
      notLoggedIn: exampleText("Login failed"),
      signedUp: exampleText("Sign up successful. Check your email to confirm."),
      notSignedUp: exampleText("Sign up failed"),
    },
    inboxMessages: {
      loading: exampleText("Loading…"),
      empty: exampleText("No submissions yet."),
      notAdmin: exampleText("You need admin access to view this page."),
      refused: exampleText("You do not have permission to view contacts."),
      notLoaded: exampleText("Failed to load contacts"),
    },
  });
});

test("other fixed words", () => {
  expect(contactWords.sending).toEqual(exampleText("Sending..."));
  expect(hostedMessages.notSaved).toEqual(
    exampleText(`Your details could not be saved. Please write to ${brand.email} instead.`),
  );
  expect([authWords.login.busy, authWords.login.toggle]).toEqual(
    ["Logging in…", "No account? Sign up"].map(exampleText),
  );
  expect([authWords.signup.busy, authWords.signup.toggle]).toEqual(
    ["Signing up…", "Have an account? Login"].map(exampleText),
  );
  expect([inboxWords.logout, inboxWords.noCompany]).toEqual(["Logout", "—"].map(exampleText));
  expect(inboxWords.home).toEqual({ label: exampleText("Home"), href: "/" });
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
    ["consulting", exampleText("Consulting")],
    ["co-development", exampleText("Co-development")],
    ["partnerships", exampleText("Partnerships")],
  ]);
});

test("the links of header and landing page", async () => {
  const link = ({ label, href }: { label: string; href: string }) => [label, href];
  expect([...sectionLinks, workWithUs, login, inboxLink, accountLink].map(link)).toEqual([
    [exampleText("About"), "/#about"],
    [exampleText("Services"), "/#services"],
    [exampleText("Case Studies"), "/#case-studies"],
    [exampleText("Contact"), "/#contact"],
    [exampleText("Work With Us"), "/#contact"],
    [exampleText("Login"), "/auth"],
    [exampleText("Contacts"), "/admin/contacts"],
    [exampleText("Account"), "/account"],
  ]);
  const $ = await site.open("/");
  const linksIn = (area: string) =>
    $(`${area} a`)
      .get()
      .map((each) => [$(each).text().trim(), $(each).attr("href")]);
  expect(linksIn("header nav")).toEqual(expect.arrayContaining([...sectionLinks, workWithUs, login].map(link)));
  const { hero, servicesIntroduction } = landing;
  expect([hero.workWithUs, hero.seeOurWork, servicesIntroduction.call, reasonsIntroduction.call].map(link)).toEqual([
    [exampleText("Work With Us"), "/#contact"],
    [exampleText("See Our Work"), "/#current-projects"],
    [exampleText("Book a Strategy Call"), "/#contact-consulting"],
    [exampleText("Partner With Us"), "/#contact-partnerships"],
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
