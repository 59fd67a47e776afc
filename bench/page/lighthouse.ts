import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromiumFlags, ensureChromium } from "../../scripts/browsers.mjs";

const lighthouse = "lighthouse@13.5.0";

export type Figures = Awaited<ReturnType<typeof measure>>;

interface NetworkRequest {
  url: string;
  transferSize: number;
  resourceSize: number;
  resourceType: string;
}

/** Measures one visit with an empty cache, on a network and a processor that Lighthouse simulates. */
export async function measure(url: string, screen: string, folder: string) {
  const file = join(folder, "report.json");
  await runLighthouse(url, screen, file);
  const { categories, audits } = JSON.parse(await readFile(file, "utf8"));
  const items: NetworkRequest[] = audits["network-requests"].details.items;
  const requests = items.filter((item) => item.url.startsWith("http"));
  const ofType = (type: string) => requests.filter(({ resourceType }) => resourceType === type);
  const bytesOf = (sent: NetworkRequest[]) => sent.reduce((bytes, { transferSize }) => bytes + transferSize, 0);
  const score = (category: string) => Math.round(categories[category].score * 100);
  const [page] = requests;
  return {
    Performance: score("performance"),
    Accessibility: score("accessibility"),
    "Best Practices": score("best-practices"),
    SEO: score("seo"),
    "first paint, ms": Math.round(audits["first-contentful-paint"].numericValue),
    "largest paint, ms": Math.round(audits["largest-contentful-paint"].numericValue),
    "blocked, ms": Math.round(audits["total-blocking-time"].numericValue),
    "layout shift": Number(audits["cumulative-layout-shift"].numericValue),
    bytes: bytesOf(requests),
    "bytes of scripts": bytesOf(ofType("Script")),
    requests: requests.length,
    "blocking stylesheets": ofType("Stylesheet").length,
    compressed: Number(page !== undefined && page.transferSize < page.resourceSize),
    /** Whether search engines may list the page. */
    listed: Number(audits["is-crawlable"].score),
  };
}

async function runLighthouse(url: string, screen: string, file: string) {
  const args = ["exec", "--yes", `--package=${lighthouse}`, "--", "lighthouse", url, "--quiet", "--output=json"];
  args.push(`--output-path=${file}`, "--only-categories=performance,accessibility,best-practices,seo");
  args.push(`--chrome-flags=${["--headless=new", ...chromiumFlags].join(" ")}`);
  if (screen === "desktop") args.push("--preset=desktop");
  // The project's own Node comes first in PATH, because the machine's Node may be too old for Lighthouse.
  const PATH = `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}`;
  await promisify(execFile)("npm", args, { env: { ...process.env, CHROME_PATH: ensureChromium(), PATH } });
}
