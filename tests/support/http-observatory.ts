import { load } from "cheerio";

/**
 * Scores a page as Mozilla's HTTP Observatory does (algorithm 4, github.com/mdn/mdn-http-observatory: the rules are in
 * `src/analyzer/tests`, the points in `src/grader/charts.ts`). The package itself cannot be used here: it scans only public
 * hosts, and it brings a database driver to compile and an installation that downloads lists. What this site never does (a
 * cookie, a script of another origin) costs the most that it can cost there. The redirect from http to https is the
 * proxy's, so it counts as in place, which gives no points.
 */
interface ScannedPage {
  headers: Readonly<Record<string, unknown>>;
  html: string;
  /** The headers of the answer to `OPTIONS`, which the scan sends as the page of another origin. */
  preflightHeaders: Readonly<Record<string, unknown>>;
}

interface Grade {
  grade: string;
  score: number;
  /** The points of each test that has any. */
  points: Readonly<Record<string, number>>;
}

const halfYearSeconds = 15_552_000;
const bonusFrom = 90;
const gradesFrom: readonly (readonly [number, string])[] = [
  [100, "A+"],
  [90, "A"],
  [85, "A-"],
  [80, "B+"],
  [70, "B"],
  [65, "B-"],
  [60, "C+"],
  [50, "C"],
  [45, "C-"],
  [40, "D+"],
  [30, "D"],
  [25, "D-"],
  [0, "F"],
];

export function gradePage(page: ScannedPage): Grade {
  const header = (name: string) => String(page.headers[name] ?? "").toLowerCase();
  const policy = parsePolicy(header("content-security-policy"));
  const points = {
    "content-security-policy": policyPoints(policy),
    cookies: page.headers["set-cookie"] === undefined ? 0 : -40,
    "cross-origin-resource-policy": choose(header("cross-origin-resource-policy"), {
      10: ["same-origin", "same-site"],
      0: ["", "cross-origin"],
      else: -5,
    }),
    "cross-origin-resource-sharing": choose(String(page.preflightHeaders["access-control-allow-origin"] ?? ""), {
      0: ["", "*"],
      else: -50,
    }),
    "referrer-policy": choose(header("referrer-policy"), {
      5: ["no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"],
      0: [""],
      else: -5,
    }),
    "strict-transport-security": transportPoints(header("strict-transport-security")),
    "subresource-integrity": hasForeignScript(page.html) ? -50 : 0,
    "x-content-type-options": header("x-content-type-options") === "nosniff" ? 0 : -5,
    "x-frame-options": policy?.has("frame-ancestors")
      ? 5
      : choose(header("x-frame-options"), { 0: ["deny", "sameorigin"], else: -20 }),
  };

  const all = Object.values(points);
  const sum = (from: readonly number[]) => from.reduce((total, each) => total + each, 100);
  const withoutBonus = sum(all.filter((each) => each < 0));
  const score = Math.max(0, withoutBonus >= bonusFrom ? sum(all) : withoutBonus);
  return {
    grade: gradesFrom.find(([from]) => score >= from)?.[1] ?? "F",
    score,
    points: Object.fromEntries(Object.entries(points).filter(([, each]) => each !== 0)),
  };
}

type Policy = ReadonlyMap<string, readonly string[]>;

/** Returns undefined for a policy that is missing or that repeats a directive. */
function parsePolicy(text: string): Policy | undefined {
  const directives = text
    .split(";")
    .map((each) => each.trim().split(/\s+/))
    .filter(([name]) => name);
  const policy = new Map(directives.map(([name = "", ...sources]) => [name, sources]));
  return policy.size > 0 && policy.size === directives.length ? policy : undefined;
}

function policyPoints(policy: Policy | undefined): number {
  if (!policy) return -25;
  const sources = (directive: string) => policy.get(directive) ?? policy.get("default-src") ?? ["*"];
  const [script, style, object] = ["script-src", "style-src", "object-src"].map(sources) as [
    string[],
    string[],
    string[],
  ];
  const passive = ["img-src", "media-src"];
  const isInsecure = (source: string) => /^(http|ftp):/.test(source);
  const active = [...policy].filter(([name]) => !passive.includes(name)).flatMap(([, each]) => each);

  if (isUnsafe(script) || object.some(isBroad)) return -20;
  if ([...active, ...script].some(isInsecure)) return -20;
  if ([...script, ...style].includes("'unsafe-eval'")) return -10;
  if (passive.flatMap(sources).some(isInsecure)) return -10;
  if (isUnsafe(style)) return 0;
  return policy.get("default-src")?.join() === "'none'" ? 10 : 5;
}

function isUnsafe(sources: readonly string[]): boolean {
  // Beside a hash or nonce, browsers ignore 'unsafe-inline'.
  const hasHash = sources.some((source) => /^'(sha(256|384|512)|nonce)-/.test(source));
  return sources.some((source) => isBroad(source) || source === "data:" || (source === "'unsafe-inline'" && !hasHash));
}

function isBroad(source: string): boolean {
  return /^(\*|(ftp|https?):|https?:\/\/\*(\.\*)?)$/.test(source);
}

function transportPoints(header: string): number {
  const [, seconds] = /^max-age=(\d+)\s*(;|$)/.exec(header) ?? [];
  if (seconds === undefined) return -20;
  return Number(seconds) < halfYearSeconds ? -10 : 0;
}

function hasForeignScript(html: string): boolean {
  const document = load(html);
  return document("script[src]").is((_, script) => /^(https?:)?\/\//.test(document(script).attr("src") ?? ""));
}

/** The points of the list that contains the value. */
function choose(
  value: string,
  { else: others, ...lists }: { else: number; [points: number]: readonly string[] },
): number {
  const found = Object.entries(lists).find(([, values]) => values.includes(value));
  return found ? Number(found[0]) : others;
}
