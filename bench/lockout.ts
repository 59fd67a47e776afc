/**
 * `npm run bench:lockout`: can the owner sign in and recover the password while strangers try to prevent it? 200
 * attackers, each in a /24 of its own, send sign-ups, recoveries and resends with made-up addresses and with the
 * owner's, wrong passwords and wrong codes: first 1,600 requests as fast as possible, then 40 a second. Meanwhile the
 * owner acts 20 times, every 31 seconds: signs in from a known and from a new address, requests a recovery mail from
 * one of them in turn, reads the link from the SMTP server and follows it. `--pause 4` shortens the run; then the
 * recovery mails are requested from new addresses only, because one address gets a mail a minute. Server, PostgreSQL
 * and SMTP server are separate processes on 127.0.0.1.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startSite } from "#tests/support/site";
import { createAccount } from "./load/create-account.ts";
import { jsonRequest, publicAddress } from "./load/requests.ts";
import { deliveredMails, readEvents } from "./smtp/smtp-log.ts";
import { startSmtp } from "./smtp/smtp-process.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    pause: { type: "string", default: "31" },
    attackers: { type: "string", default: "200" },
  },
});
const rounds = Number(options.rounds);
const pauseSeconds = Number(options.pause);
const attackers = Number(options.attackers);
const attacksAtOnce = 20;
const attacksPerSecond = 40;
/** The rounds of a known address must be further apart than the minute between two mails. */
const recoversFromKnown = 2 * pauseSeconds > 60;
const mailSecondsMax = 30;

const email = "owner@bench.example";
const password = "a horse that nobody guesses";
const knownAddress = publicAddress(50_000);
const madeUp = () => `${crypto.randomUUID()}@bench.example`;

const attacks: Record<string, () => [path: string, body: Record<string, string>]> = {
  "sign-up of a made-up address": () => ["/signup", { email: madeUp(), password: "another long horse" }],
  "sign-up of the owner's address": () => ["/signup", { email, password: "another long horse" }],
  "recovery of a made-up address": () => ["/recover", { email: madeUp() }],
  "recovery of the owner's address": () => ["/recover", { email }],
  "resend to a made-up address": () => ["/resend", { email: madeUp(), type: "signup" }],
  "resend to the owner's address": () => ["/resend", { email, type: "signup" }],
  "wrong password": () => ["/token?grant_type=password", { email, password: "a guess" }],
  "wrong code": () => ["/verify", { email, token: "12345", type: "recovery" }],
};
const kinds = Object.keys(attacks);

const folder = await mkdtemp(join(tmpdir(), "lockout-"));
const dataDir = join(folder, "data");
const log = join(folder, "smtp.log");
await writeFile(log, "");
const smtp = await startSmtp({ log });
const site = await startSite({
  dataDir,
  environment: {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    AUTH_LIMITS: "on",
    TRUST_PROXY: "loopback",
    LOG_LEVEL: "error",
  },
});
const answers = Object.fromEntries(kinds.map((kind) => [kind, { answered: 0, refused: 0, failed: 0 }]));
const works = { "sign-in, known address": 0, "sign-in, new address": 0, "forgotten password": 0 };
const triedLinks = new Set<string>();
let slowestMilliseconds = 0;
let slowestRecoverySeconds = 0;
let ended = false;

try {
  await createAccount(dataDir, { email, password, isAdmin: true });
  if (!(await signIn(knownAddress))) throw new Error("The owner cannot sign in before the attack.");
  const attack = attackUntilEnd();
  for (let round = 0; round < rounds; round++) {
    await pause(pauseSeconds * 1000);
    await actAsOwner(round);
    process.stdout.write(`\r${round + 1} of ${rounds} rounds `);
  }
  ended = true;
  await attack;
  await report();
} finally {
  ended = true;
  await site.stop();
  await smtp.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Each attacker sends every kind of request in turn. The first round of all attackers is not slowed down. */
async function attackUntilEnd() {
  const unslowed = attackers * kinds.length;
  const started = performance.now();
  let next = 0;
  const attacker = async () => {
    while (!ended) {
      const number = next++;
      const due = started + ((number - unslowed) / attacksPerSecond) * 1000;
      await pause(Math.max(0, due - performance.now()));
      const kind = kinds[Math.floor(number / attackers) % kinds.length] ?? "";
      const [path, body] = attacks[kind]?.() ?? ["", {}];
      const status = await send(path, body, publicAddress(number % attackers));
      const tally = answers[kind];
      if (!tally) continue;
      if (status === 429) tally.refused += 1;
      else if (status === 0 || status >= 500) tally.failed += 1;
      else tally.answered += 1;
    }
  };
  await Promise.all(Array.from({ length: attacksAtOnce }, attacker));
}

async function actAsOwner(round: number) {
  const newAddress = publicAddress(51_000 + round);
  if (await signIn(knownAddress)) works["sign-in, known address"] += 1;
  if (await signIn(newAddress)) works["sign-in, new address"] += 1;
  const isKnown = recoversFromKnown && round % 2 === 0;
  const started = performance.now();
  if (await recover(isKnown ? knownAddress : newAddress)) works["forgotten password"] += 1;
  slowestRecoverySeconds = Math.max(slowestRecoverySeconds, Math.round((performance.now() - started) / 1000));
}

async function signIn(ip: string): Promise<boolean> {
  const started = performance.now();
  const status = await send("/token?grant_type=password", { email, password }, ip);
  slowestMilliseconds = Math.max(slowestMilliseconds, Math.round(performance.now() - started));
  return status === 200;
}

/** Requests a mail and follows the newest link in the mailbox, until one works. Strangers may have caused that mail. */
async function recover(ip: string): Promise<boolean> {
  if ((await send("/recover", { email }, ip)) !== 200) return false;

  const deadline = performance.now() + mailSecondsMax * 1000;
  while (performance.now() < deadline) {
    const link = (await recoveryTokens()).findLast((token) => !triedLinks.has(token));
    if (!link) await pause(200);
    else {
      triedLinks.add(link);
      if ((await send("/verify", { token_hash: link, type: "recovery" }, ip)) === 200) return true;
    }
  }
  return false;
}

/** The tokens of the recovery links that the owner got, oldest first. */
async function recoveryTokens(): Promise<string[]> {
  const mails = deliveredMails(await readEvents(log)).filter(({ recipients }) => recipients.includes(email));
  return mails.flatMap(({ raw }) => {
    // In quoted-printable, long lines end in `=`, and `=` is written as `=3D`.
    const text = raw.replace(/=\r?\n/g, "").replaceAll("=3D", "=");
    return /token_hash=([0-9a-f]{64})&type=recovery/.exec(text)?.[1] ?? [];
  });
}

/** Resolves with the status, or with 0 if there is no answer. */
async function send(path: string, body: Record<string, string>, ip: string): Promise<number> {
  const request = { ...jsonRequest(body, { "x-forwarded-for": ip }), signal: AbortSignal.timeout(10_000) };
  try {
    const answer = await fetch(`http://127.0.0.1:${site.port}/auth/v1${path}`, request);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function report() {
  const mails = deliveredMails(await readEvents(log));
  process.stdout.write("\r");
  console.table(answers);
  console.table({
    ...Object.fromEntries(Object.entries(works).map(([what, times]) => [what, `works ${times} of ${rounds}`])),
    "slowest sign-in, ms": slowestMilliseconds,
    "slowest recovery, s": slowestRecoverySeconds,
    "mails sent": mails.length,
    "of these to the owner": mails.filter(({ recipients }) => recipients.includes(email)).length,
  });
  const failed = Object.values(answers).some((tally) => tally.failed > 0);
  if (failed || Object.values(works).some((times) => times < rounds)) process.exitCode = 1;
}
