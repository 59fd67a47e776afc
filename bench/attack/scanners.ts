import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultPublicKey } from "#server/settings";
import { newTally, type Tally } from "./tally.ts";
import type { Target } from "./target.ts";

interface Options {
  target: Target;
  /** The scanners write their files there. */
  folder: string;
  secondsMax: number;
  signal: AbortSignal;
}

interface Run {
  output: string;
  /** Null if the program is not installed. */
  code: number | null | "not installed" | "too slow";
}

/** Where sqlmap injects: at each `*`, and into each field of a body. */
const sqlmapTargets: readonly { path: string; body?: string }[] = [
  { path: "/rest/v1/contacts?select=id*&name=eq.a*&order=name*&limit=1*" },
  { path: "/rest/v1/contacts?or=(name.eq.a*,email.in.(b*))" },
  { path: "/rest/v1/rpc/has_role", body: '{"_user_id": "00000000-0000-4000-8000-000000000000*", "_role": "admin*"}' },
  {
    path: "/rest/v1/contacts",
    body: '{"name": "a*", "company": "b*", "email": "c@attack.example", "interest": "consulting*"}',
  },
  { path: "/auth/v1/token?grant_type=password", body: '{"email": "a@attack.example*", "password": "b*"}' },
  { path: "/auth/v1/verify?type=signup*&token=a*&redirect_to=/*" },
  // The last one, because the answers are whole pages, which sqlmap compares slowly: it has the time that is left.
  { path: "/contact", body: "name=a*&company=b*&email=c@attack.example&interest=consulting*" },
];

export async function runSqlmap(options: Options): Promise<Tally | undefined> {
  const { target, folder, secondsMax, signal } = options;
  const home = await ownHome(folder, "sqlmap");
  const deadline = performance.now() + secondsMax * 1000;
  const { access_token } = await target.signIn("admin");

  return countLogged(target, async (tally) => {
    for (const [number, { path, body }] of sqlmapTargets.entries()) {
      const secondsLeft = (deadline - performance.now()) / 1000;
      const headers = [
        `apikey: ${defaultPublicKey}`,
        ...(path.startsWith("/rest/") ? [`Authorization: Bearer ${access_token}`] : []),
      ];
      const type = path === "/contact" ? "application/x-www-form-urlencoded" : "application/json";
      const args = [
        "-u",
        `http://127.0.0.1:${target.site.port}${path}`,
        "--batch",
        "--disable-coloring",
        "--level=1",
        "--risk=1",
      ]
        .concat(["--dbms=PostgreSQL", "--time-sec=2", "--timeout=15", "--retries=0", "--threads=4", "--ignore-code=*"])
        .concat(["--flush-session", "--ignore-redirects", `--output-dir=${join(home, `${number}`)}`])
        .concat(["--headers", [...headers, ...(body ? [`Content-Type: ${type}`] : [])].join("\n")])
        .concat(body ? ["--data", body] : []);
      const { output, code } = await run("sqlmap", args, {
        home,
        seconds: secondsLeft / (sqlmapTargets.length - number),
        signal,
      });
      if (code === "not installed") return false;
      if (/is vulnerable|identified the following injection point/.test(output)) {
        tally.letThrough += 1;
        tally.problems.push(`sqlmap ${path}: ${output.slice(output.search(/is vulnerable|Parameter:/)).slice(0, 500)}`);
      }
      if (code === "too slow") console.log(`sqlmap ${path}: ended before it had tried all.`);
      else if (!/do not appear to be injectable|is vulnerable|not injectable/.test(output))
        tally.problems.push(`sqlmap ${path} did not work: ${output.trim().split("\n").slice(-3).join(" ")}`);
    }
    return true;
  });
}

/** Modules that call no other machine. The others load lists from the internet, or wait for a call from there. */
const wapitiModules = [
  "backup",
  "blindsql",
  "crlf",
  "exec",
  "file",
  "htaccess",
  "methods",
  "permanentxss",
  "redirect",
  "shellshock",
  "sql",
  "xss",
];

export async function runWapiti({ target, folder, secondsMax, signal }: Options): Promise<Tally | undefined> {
  const home = await ownHome(folder, "wapiti");
  const report = join(home, "report.json");
  const base = `http://127.0.0.1:${target.site.port}/`;
  return countLogged(target, async (tally) => {
    const args = ["-u", base, "--scope", "folder", "-m", wapitiModules.join(), "-d", "3", "--max-parameters", "10"]
      .concat(["-s", `${base}rest/v1/contacts?select=id&name=eq.a&order=name&limit=1&apikey=${defaultPublicKey}`])
      .concat([
        "-s",
        `${base}auth/v1/verify?type=signup&token=a&redirect_to=x`,
        "-t",
        "15",
        "--no-bugreport",
        "-v",
        "0",
      ])
      .concat([
        "--max-scan-time",
        `${Math.round(secondsMax / 4)}`,
        "--max-attack-time",
        `${Math.round(secondsMax / wapitiModules.length)}`,
      ])
      .concat(["--store-session", home, "--store-config", home, "--flush-session", "-f", "json", "-o", report]);
    const { code, output } = await run("wapiti", args, { home, seconds: secondsMax, signal });
    if (code === "not installed") return false;
    const text = await readFile(report, "utf8").catch(() => "");
    if (!text && code !== "too slow") tally.problems.push(`wapiti did not work: ${output.slice(-500)}`);
    const found = text ? (JSON.parse(text) as WapitiReport) : { vulnerabilities: {}, anomalies: {} };
    for (const [kind, each] of Object.entries(found.vulnerabilities)) {
      for (const { method, path, info } of each) {
        tally.letThrough += 1;
        tally.problems.push(`wapiti: ${kind}: ${method} ${path} ${info}`);
      }
    }
    return true;
  });
}

interface WapitiReport {
  vulnerabilities: Record<string, { method: string; path: string; info: string }[]>;
}

/** Counts what the server has logged meanwhile: its answers, those of 500 or above, and those that came too late. */
async function countLogged(target: Target, attack: (tally: Tally) => Promise<boolean>): Promise<Tally | undefined> {
  const tally = newTally();
  const begin = target.site.output().length;
  if (!(await attack(tally))) return undefined;
  for (const line of target.site.output().slice(begin).split("\n")) {
    if (!line.includes('"msg":"answered"')) continue;
    const { method, path, status, milliseconds } = JSON.parse(line);
    tally.requests += 1;
    if (milliseconds > 15_000) tally.hung += 1;
    if (status < 500) continue;
    tally.serverErrors += 1;
    tally.problems.push(`Status ${status}: ${method} ${path}`);
  }
  return tally;
}

async function ownHome(folder: string, name: string): Promise<string> {
  const home = join(folder, name);
  await mkdir(home, { recursive: true });
  return home;
}

/** Runs a program that writes its files only below `home`, and ends it after `seconds`. */
function run(
  program: string,
  args: string[],
  { home, seconds, signal }: { home: string; seconds: number; signal: AbortSignal },
): Promise<Run> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env.PATH, HOME: home, TMPDIR: home, LANG: "C.UTF-8" };
    const child = spawn(program, args, {
      env: environment,
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    let output = "";
    let isTooSlow = false;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    const limit = setTimeout(() => {
      isTooSlow = true;
      child.kill("SIGKILL");
    }, seconds * 1000);
    child.once("error", () => {
      clearTimeout(limit);
      resolve({ output, code: "not installed" });
    });
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ output, code: isTooSlow ? "too slow" : code });
    });
  });
}
