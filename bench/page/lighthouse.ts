import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { chromiumFlags, ensureChromium } from "../../scripts/browsers.mjs";

const lighthouse = "lighthouse@13.5.0";
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

export type Screen = "mobile" | "desktop";

export interface Measurement {
  /** 0 to 100; undefined where Lighthouse gave no score. */
  scores: Record<(typeof categories)[number], number | undefined>;
  firstPaintMs: number;
  largestPaintMs: number;
  blockedMs: number;
  shift: number;
  bytes: number;
  scriptBytes: number;
  requests: number;
  stylesheets: number;
  isCompressed: boolean;
  /** Whether the page is `noindex`: it asks search engines not to list it. Its lower SEO score is intended. */
  isUnlisted: boolean;
}

interface NetworkRequest {
  url: string;
  transferSize: number;
  resourceSize: number;
  resourceType: string;
}

/** Measures one visit with an empty cache, on a network and a processor that Lighthouse simulates. */
export async function measure(url: string, screen: Screen, folder: string): Promise<Measurement> {
  const file = join(folder, "report.json");
  await run(url, screen, file);
  const { categories: found, audits } = JSON.parse(await readFile(file, "utf8"));
  const requests: NetworkRequest[] = audits["network-requests"].details.items.filter(({ url: each }: NetworkRequest) =>
    each.startsWith("http"),
  );
  const [page] = requests;
  return {
    scores: Object.fromEntries(
      categories.map((name) => [name, found[name]?.score === null ? undefined : Math.round(found[name].score * 100)]),
    ) as Measurement["scores"],
    firstPaintMs: audits["first-contentful-paint"].numericValue,
    largestPaintMs: audits["largest-contentful-paint"].numericValue,
    blockedMs: audits["total-blocking-time"].numericValue,
    shift: audits["cumulative-layout-shift"].numericValue,
    bytes: sum(requests),
    scriptBytes: sum(requests.filter(({ resourceType }) => resourceType === "Script")),
    requests: requests.length,
    stylesheets: requests.filter(({ resourceType }) => resourceType === "Stylesheet").length,
    isCompressed: page !== undefined && page.transferSize < page.resourceSize,
    isUnlisted: audits["is-crawlable"].score === 0,
  };
}

function sum(requests: readonly NetworkRequest[]): number {
  return requests.reduce((bytes, { transferSize }) => bytes + transferSize, 0);
}

function run(url: string, screen: Screen, file: string): Promise<void> {
  const flags = ["--headless=new", ...chromiumFlags].join(" ");
  const args = ["exec", "--yes", `--package=${lighthouse}`, "--", "lighthouse", url];
  args.push("--quiet", "--output=json", `--output-path=${file}`, `--only-categories=${categories.join(",")}`);
  args.push(`--chrome-flags=${flags}`, ...(screen === "desktop" ? ["--preset=desktop"] : []));
  const child = spawn("npm", args, {
    env: {
      ...process.env,
      CHROME_PATH: ensureChromium(),
      // The project's own Node comes first in PATH, because the machine's Node may be too old for Lighthouse.
      PATH: `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done() : fail(new Error(`Lighthouse ended with ${code}.\n${errors}`))));
  });
}
