import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import type { Manifest } from "#server/backup/manifest";
import { openBackup } from "#server/backup/read-backup";
import { connect } from "#server/database/connections";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { silent } from "#tests/support/silent";
import { type RunningSite, startSite } from "#tests/support/site";
import { endLeftoverProcesses } from "../../scripts/leftover-processes.mjs";
import { createAccount } from "../load/create-account.ts";
import { openLoop } from "../load/loops.ts";
import { quantile } from "../load/quantile.ts";
import { jsonRequest, publicAddress } from "../load/requests.ts";

export interface Options {
  /** How many contacts are stored before. */
  seeded: number;
  perSecond: number;
  /** How long contacts are sent without a backup, and as long with one. */
  seconds: number;
  /** A prepared data folder, which is faster than a new one. */
  copyOf?: string;
  progress?: (text: string) => void;
}

export interface Outcome {
  figures: Record<string, number | string>;
  /** A sentence for each failure. */
  problems: string[];
}

/** Contacts with and without a backup alternate, so that what else the machine does hits both. */
const roundSecondsMax = 4;

const root = fileURLToPath(new URL("../../", import.meta.url));
const admin = { email: "admin@backup.example", password: "a walk along the river" };

interface Sent {
  email: string;
  startedAt: number;
  answeredAt: number;
  status: number;
}

/**
 * Backs up a site under load, kills a first restore into another data folder, repeats it, and starts a site there.
 * Compares what was acknowledged before the backup, what is in the file and what the restored site answers.
 */
export async function runBackup(options: Options): Promise<Outcome> {
  const { seeded, perSecond, seconds, copyOf, progress = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), "backup-bench-"));
  const [from, to] = ["original", "restored"].map((name) => join(folder, name)) as [string, string];
  const file = join(folder, "site.zip");
  const sites: RunningSite[] = [];
  const start = async (dataDir: string, environment = {}) => {
    const site = await startSite({
      dataDir,
      environment: { TRUST_PROXY: "loopback", LOG_LEVEL: "warn", ...environment },
    });
    sites.push(site);
    return site;
  };
  let next = 0;
  try {
    if (copyOf) await cp(join(copyOf, "postgres"), join(from, "postgres"), { recursive: true });
    const site = await start(from);
    await createAccount(from, { ...admin, isAdmin: true });
    if (seeded > 0) {
      progress(`storing ${seeded} contacts`);
      const { owner, close } = connect(await embeddedConnection(from), silent);
      owner.options.query_timeout = 0;
      await seedContacts(owner, seeded);
      await close();
    }

    progress("sending contacts, without a backup and with one");
    if (seeded > 0) await send(site, 1);
    const all: Sent[] = [];
    const ratios: number[] = [];
    let [began, ended] = [0, 0];
    const rounds = Math.ceil(seconds / roundSecondsMax);
    for (let round = 0; round < rounds; round++) {
      const quiet = await send(site, seconds / rounds);
      let isOver = false;
      const sending = send(site, seconds / rounds).finally(() => {
        isOver = true;
      });
      // Further backups, so that all of these contacts come while one is made.
      for (let more = 0; !isOver && (round + more === 0 || seeded > 0); more++) {
        const next = round + more === 0 ? file : `${file}.${round}.${more}`;
        const start = performance.now();
        await command(["backup.ts", next], { DATA_DIR: from });
        if (next === file) [began, ended] = [start, performance.now()];
      }
      const busy = await sending;
      all.push(...quiet, ...busy);
      ratios.push(p99(busy) / p99(quiet));
    }

    progress("restoring, killed once");
    await killedRestore(file, to);
    const restoreBegan = performance.now();
    const printed = await command(["restore.ts", file], { DATA_DIR: to });
    const restoreEnded = performance.now();
    const { manifest } = await openBackup(file).then((backup) => {
      backup.close();
      return backup;
    });
    await site.stop();

    progress("logging in at the restored site");
    const restored = await start(to);
    const stored = await readContacts(restored);
    const problems = compare({ manifest, stored, all, began, ended, seeded, printed });
    return {
      figures: {
        "contacts in the backup": rowsOf(manifest, "public.contacts"),
        "acknowledged before the backup": all.filter(({ status, answeredAt }) => status === 201 && answeredAt < began)
          .length,
        "sent after it": all.filter(({ startedAt }) => startedAt > ended).length,
        "failed contacts": all.filter(({ status }) => status !== 201).length,
        "seconds of the backup": round((ended - began) / 1000),
        "seconds of the restore": round((restoreEnded - restoreBegan) / 1000),
        "megabytes of the file": round((await stat(file)).size / 1e6),
        "contact p99 during backups, in those without": round(quantile(ratios, 0.5)),
        "smallest and largest ratio": `${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`,
      },
      problems,
    };
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
    await endLeftoverProcesses(folder);
    await rm(folder, { recursive: true, force: true });
  }

  function send({ url }: RunningSite, seconds: number): Promise<Sent[]> {
    return openLoop(perSecond * seconds, perSecond, async () => {
      const number = next++;
      const email = `visitor-${number}@backup.example`;
      const startedAt = performance.now();
      const contact = { name: `Visitor ${number}`, company: "Backup", email, interest: "consulting" };
      const request = jsonRequest(contact, { "x-forwarded-for": publicAddress(number) });
      const answer = await fetch(`${url}/rest/v1/contacts`, request);
      await answer.arrayBuffer();
      return { email, startedAt, answeredAt: performance.now(), status: answer.status };
    });
  }
}

/** No trigger runs, so the contacts are neither limited nor announced. */
async function seedContacts(owner: Pool, count: number) {
  const db = await owner.connect();
  await db.query("set session_replication_role = replica");
  await db.query(
    `insert into contacts (name, company, email, interest, submitted_at, state)
     select 'Seeded ' || n, 'Works', 'seeded-' || n || '@backup.example', 'consulting', now() - n * interval '1 minute', 'handled'
     from generate_series(1, $1) n`,
    [count],
  );
  db.release(true);
}

/** Logs in with the password of the original site, and reads all contacts of visitors as an admin. */
async function readContacts({ url }: RunningSite): Promise<{ emails: Set<string>; count: number }> {
  const login = await fetch(`${url}/auth/v1/token?grant_type=password`, jsonRequest(admin));
  const { access_token: token } = await login.json();
  const headers = { ...(jsonRequest({}).headers as Record<string, string>), authorization: `Bearer ${token}` };
  const read = async (query: string) =>
    fetch(`${url}/rest/v1/contacts?${query}`, { headers: { ...headers, prefer: "count=exact" } });
  const emails = new Set<string>();
  for (let from = 0; ; from += 1000) {
    const answer = await read(`select=email&email=like.visitor-*&order=id&limit=1000&offset=${from}`);
    const rows: { email: string }[] = await answer.json();
    for (const { email } of rows) emails.add(email);
    if (rows.length < 1000) break;
  }
  const answer = await read("select=id&limit=1");
  return { emails, count: Number(answer.headers.get("content-range")?.split("/")[1]) };
}

interface Comparison {
  manifest: Manifest;
  stored: { emails: Set<string>; count: number };
  all: readonly Sent[];
  began: number;
  ended: number;
  seeded: number;
  printed: string;
}

function compare({ manifest, stored, all, began, ended, seeded, printed }: Comparison): string[] {
  const before = all.filter(({ status, answeredAt }) => status === 201 && answeredAt < began);
  const after = all.filter(({ startedAt }) => startedAt > ended);
  const lost = before.filter(({ email }) => !stored.emails.has(email)).length;
  const early = after.filter(({ email }) => stored.emails.has(email)).length;
  const failed = all.filter(({ status }) => status !== 201).length;
  const contacts = rowsOf(manifest, "public.contacts");
  return [
    ...(before.length === 0 ? ["No contact was acknowledged before the backup."] : []),
    ...(failed > 0 ? [`${failed} contacts failed.`] : []),
    ...(lost > 0 ? [`${lost} contacts that were acknowledged before the backup are not in it.`] : []),
    ...(early > 0 ? [`${early} contacts that were sent after the backup are in it.`] : []),
    ...(stored.count !== contacts ? [`The site has ${stored.count} contacts, and the backup ${contacts}.`] : []),
    ...(contacts < seeded + before.length ? [`The backup has ${contacts} contacts only.`] : []),
    ...(printed.includes("checksums of file and database are equal") ? [] : ["The restore compared nothing."]),
  ];
}

/** Kills a restore as soon as its data folder is there, in the middle of the migrations or of the rows. */
async function killedRestore(file: string, dataDir: string) {
  const child = spawnCommand(["restore.ts", file], { DATA_DIR: dataDir });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (child.exitCode === null && !existsSync(join(dataDir, "postgres", "postmaster.pid"))) await pause(5);
  await pause(Math.random() * 150);
  child.kill("SIGKILL");
  await ended;
}

async function command(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const child = spawnCommand(args, environment);
  let printed = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}.\n${printed}`);
  return printed;
}

function spawnCommand([file = "", ...args]: readonly string[], environment: Record<string, string>): ChildProcess {
  const { DATABASE_URL: _databaseUrl, ...inherited } = process.env;
  return spawn(process.execPath, [`server/cli/${file}`, ...args], {
    cwd: root,
    env: { ...inherited, ENV_FILE: "", ...environment },
  });
}

function rowsOf({ tables }: Manifest, name: string): number {
  return tables.find((table) => table.name === name)?.rows ?? 0;
}

function p99(sent: readonly Sent[]): number {
  return quantile(
    sent.map(({ startedAt, answeredAt }) => answeredAt - startedAt),
    0.99,
  );
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
