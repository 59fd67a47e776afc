/**
 * `npm run bench:backup` makes backups while visitors send contacts, restores one elsewhere after a restore that was
 * killed, and logs in there. Is all in it that was acknowledged before, and nothing that came after? How long does it
 * take, how large is the file, and how much longer do visitors wait meanwhile? `--contacts` are stored before,
 * `--seconds` are sent without and with a backup, 50 a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openBackup } from "#operations/backup/read-backup";
import { createAccount } from "./load/create-account.ts";
import { type Measurement, runMeasurement, startServer } from "./load/measurement.ts";
import { storePastContacts } from "./load/past-contacts.ts";
import { embeddedPostgres } from "./load/postgres.ts";
import { quantile } from "./load/quantile.ts";
import { contactRequest, jsonRequest, type Sent, sendAtRate, signIn } from "./load/requests.ts";

const { values: options } = parseArgs({
  options: { contacts: { type: "string", default: "100000" }, seconds: { type: "string", default: "20" } },
});
const seeded = Number(options.contacts);
const seconds = Number(options.seconds);
const perSecond = 50;
/** Contacts with and without a backup alternate, so that what else the machine does hits both. */
const roundSecondsMax = 4;

const root = fileURLToPath(new URL("../", import.meta.url));
const admin = { email: "admin@bench.example", password: "a walk along the river" };

await runMeasurement("backup", async (measurement) => {
  const { folder, progress } = measurement;
  const [from, to, file] = [join(folder, "original"), join(folder, "restored"), join(folder, "site.zip")];
  const server = await startServer(measurement, { dataDir: from });
  await createAccount(from, { ...admin, isAdmin: true });
  progress(`storing ${seeded} contacts`);
  await storePastContacts(embeddedPostgres(from), { name: "seeded", count: seeded });

  progress("sending contacts, without a backup and with one");
  const { sent, ratios, began, ended } = await backUpUnderLoad(measurement, server.url, { from, file });
  progress("restoring, killed once");
  await killRestore(file, to);
  const restoreBegan = performance.now();
  const printed = await command("restore.ts", file, to);
  const restoreSeconds = (performance.now() - restoreBegan) / 1000;
  await server.stop();

  progress("logging in at the restored site");
  const restored = await startServer(measurement, { dataDir: to });
  const stored = await readContacts(restored.url);
  await restored.stop();

  const backup = await openBackup(file);
  backup.close();
  const inBackup = backup.manifest.tables.find(({ name }) => name === "public.contacts")?.rows ?? 0;
  const before = sent.filter(({ isRight, answeredAt }) => isRight && answeredAt < began);
  const after = sent.filter(({ sentAt }) => sentAt > ended);
  const mustBeZero = {
    "failed contacts": sent.filter(({ isRight }) => !isRight).length,
    "acknowledged before the backup, and not in it": before.filter(({ email }) => !stored.emails.has(email)).length,
    "sent after it, and in it": after.filter(({ email }) => stored.emails.has(email)).length,
    "missing at the restored site": inBackup - stored.count,
    "missing of those before": Math.max(0, seeded + before.length - inBackup),
  };
  const figures = {
    "contacts in the backup": inBackup,
    "acknowledged before the backup": before.length,
    "sent after it": after.length,
    ...mustBeZero,
    "seconds of the backup": round((ended - began) / 1000),
    "seconds of the restore": round(restoreSeconds),
    "megabytes of the file": round((await stat(file)).size / 1e6),
    "contact p99 during backups, in those without": round(quantile(ratios, 0.5)),
    "smallest and largest ratio": `${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`,
  };
  const problems: string[] = [];
  if (before.length === 0) problems.push("No contact was acknowledged before the backup.");
  if (!printed.includes("checksums of file and database are equal")) problems.push("The restore compared nothing.");
  return { figures, mustBeZero, problems };
});

/** The first backup is the one that is kept; further ones, so that all contacts of a round come while one is made. */
async function backUpUnderLoad({ signal }: Measurement, url: string, { from, file }: { from: string; file: string }) {
  const rounds = Math.ceil(seconds / roundSecondsMax);
  const sent: Sent[] = [];
  const ratios: number[] = [];
  let [began, ended] = [0, 0];
  const send = async () => {
    const first = sent.length;
    const rate = { perSecond, seconds: seconds / rounds, signal };
    const answers = await sendAtRate(rate, (number) => contactRequest(url, first + number));
    sent.push(...answers);
    return quantile(
      answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
      0.99,
    );
  };
  for (let round = 0; round < rounds; round++) {
    const quiet = await send();
    let isOver = false;
    const sending = send().finally(() => {
      isOver = true;
    });
    for (let more = 0; !isOver || ended === 0; more++) {
      const start = performance.now();
      await command("backup.ts", ended === 0 ? file : `${file}.${round}.${more}`, from);
      if (ended === 0) [began, ended] = [start, performance.now()];
    }
    ratios.push((await sending) / quiet);
  }
  // With a short load, nothing is sent after the backup otherwise.
  await send();
  return { sent, ratios, began, ended };
}

/** Logs in with the password of the original site, and reads all contacts of visitors as an admin. */
async function readContacts(url: string): Promise<{ emails: Set<string>; count: number }> {
  const { access_token } = await signIn(url, admin);
  const { headers } = jsonRequest({}, { authorization: `Bearer ${access_token}`, prefer: "count=exact" });
  const read = (query: string) => fetch(`${url}/rest/v1/contacts?${query}`, { headers });
  const emails = new Set<string>();
  for (let from = 0, found = 1000; found === 1000; from += 1000) {
    const answer = await read(`select=email&email=like.visitor-*&order=id&limit=1000&offset=${from}`);
    const rows: { email: string }[] = await answer.json();
    for (const { email } of rows) emails.add(email);
    found = rows.length;
  }
  const range = (await read("select=id&limit=1")).headers.get("content-range");
  return { emails, count: Number(range?.split("/")[1]) };
}

/** Kills a restore as soon as its data folder is there, in the middle of the migrations or of the rows. */
async function killRestore(file: string, dataDir: string) {
  const child = spawnCommand("restore.ts", file, dataDir);
  const ended = once(child, "exit");
  while (child.exitCode === null && !existsSync(join(dataDir, "postgres", "postmaster.pid"))) await pause(5);
  await pause(Math.random() * 150);
  child.kill("SIGKILL");
  await ended;
}

async function command(program: string, file: string, dataDir: string): Promise<string> {
  const child = spawnCommand(program, file, dataDir);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (code !== 0) throw new Error(`${program} ended with ${code}.\n${out}${err}`);
  return out + err;
}

function spawnCommand(program: string, file: string, dataDir: string) {
  const { DATABASE_URL: _databaseUrl, ...inherited } = process.env;
  const env = { ...inherited, ENV_FILE: "", DATA_DIR: dataDir };
  return spawn(process.execPath, [`operations/commands/${program}`, file], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
