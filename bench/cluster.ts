/**
 * `npm run cluster` follows docs/deploying.md#a-cluster on four machines, kills the primary's PostgreSQL, switches over and
 * cuts the primary off, once each, while 50 visitors a second send contacts. Is a contact lost that was answered with
 * success, or stored twice? The machines are namespaces with a systemd of Debian 13 in each: nothing of them is left at
 * the end. Needs root on Debian; takes a quarter of an hour the first time, then five minutes.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ensurePrograms } from "../scripts/debian-packages.mjs";
import { makeSiteFolder } from "../tests/deploy/site-folder.ts";
import { gateway, makeDebian, prepareHost } from "./cluster/machines.ts";
import { type Cluster, installation, requirePrimary, setUp, untilHealthy } from "./cluster/setup.ts";
import { countContacts, untilQueueIsEmpty } from "./load/contacts.ts";
import { startMailServer } from "./load/mail-server.ts";
import { type Measurement, runMeasurement } from "./load/measurement.ts";
import { queryWhenUp } from "./load/postgres.ts";
import { contactRequest, type Request, type Sent, sendAtRate } from "./load/requests.ts";

const contactsPerSecond = 50;
const answerSecondsMax = 60;
/** Longer than a lost primary takes to be replaced, so that the repair meets the next one. */
const outageSeconds = 35;

const faults: Readonly<Record<string, (cluster: Cluster) => Promise<unknown>>> = {
  async "kill -9 of the primary's PostgreSQL"(cluster) {
    await (await requirePrimary(cluster)).run("kill -KILL $(head -1 /var/lib/postgresql/17/fernway/postmaster.pid)");
  },
  async "a planned switchover"(cluster) {
    const primary = await requirePrimary(cluster);
    await primary.run(`patronictl -c /etc/patroni/config.yml switchover --leader ${primary.name} --force`);
  },
  async "the primary is cut off"(cluster) {
    const primary = await requirePrimary(cluster);
    await primary.plug("down");
    await pause(outageSeconds * 1000);
    await primary.plug("up");
  },
};

await (process.env.IN_CLUSTER ? inside() : outside());

/** Starts this program again in namespaces of its own. All that is in them ends with this process. */
async function outside() {
  const namespaces = "--mount --pid --net --fork --kill-child --mount-proc --propagation=private".split(" ");
  ensurePrograms({ debootstrap: "debootstrap", ip: "iproute2", nsenter: "util-linux", "mkfs.ext4": "e2fsprogs" });
  makeDebian(debianFolder(), installation(), (line) => console.error(line));
  const child = spawn("unshare", [...namespaces, process.execPath, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, IN_CLUSTER: "yes" },
  });
  // `unshare` itself blocks these signals.
  const inner = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8"));
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.kill(inner(), signal));
  // That of a terminal reaches both.
  process.on("SIGINT", () => {});
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}

/** With other packages it is another folder. */
function debianFolder(): string {
  const cache = fileURLToPath(new URL("../.cache/cluster", import.meta.url));
  mkdirSync(cache, { recursive: true });
  return join(cache, `debian-13-${createHash("sha256").update(installation()).digest("hex").slice(0, 8)}`);
}

async function inside() {
  await runMeasurement("cluster", async (measurement) => {
    const { folder, progress } = measurement;
    await prepareHost();
    progress("building the site");
    const site = join(folder, "site");
    makeSiteFolder(site, "http://example.com");
    const mail = await startMailServer(undefined, gateway);
    const settings = {
      SITE_URL: "http://example.com",
      SMTP_URL: mail.url,
      NOTIFY_TO: "owner@bench.example",
      CONTACT_MAILS_PER_HOUR: "1000000",
    };
    const cluster = await setUp({ debian: debianFolder(), site, folder, settings, progress });
    try {
      return await breakCluster(cluster, mail, measurement);
    } finally {
      await Promise.all([...cluster.databases, cluster.web].map((each) => each.crash()));
    }
  });
}

async function breakCluster(
  cluster: Cluster,
  { announced }: Awaited<ReturnType<typeof startMailServer>>,
  measurement: Measurement,
) {
  const { progress, signal } = measurement;
  const query = queryWhenUp(async () => {
    const { address: host } = await requirePrimary(cluster);
    const { username: user, password } = new URL(cluster.databaseUrl);
    return { host, user, password, database: "fernway", ssl: { rejectUnauthorized: false } };
  });
  const happened: { name: string; from: number; to: number }[] = [];
  const url = `http://${cluster.web.address}`;
  const rate = { perSecond: contactsPerSecond, seconds: 0, until: happen(), signal };
  const sent = await sendAtRate(rate, (number) => contactRequest(url, number), sendAsVisitor);
  const jobsLeft = await untilQueueIsEmpty(query, measurement);
  const accepted = sent.filter(({ isRight }) => isRight).length;
  console.table(Object.fromEntries(happened.map(({ name, ...times }) => [name, describe(sent, times)])));
  const mustBeZero = { ...(await countContacts(query, sent, announced)), "jobs left": jobsLeft };
  return { figures: { sent: sent.length, "answered with success": accepted, ...mustBeZero }, mustBeZero };

  async function happen() {
    for (const [name, happens] of Object.entries(faults)) {
      await pause(4000, undefined, { signal });
      progress(name);
      const from = performance.now();
      await happens(cluster);
      await untilHealthy(cluster, signal);
      happened.push({ name, from, to: performance.now() });
    }
    await pause(4000, undefined, { signal });
  }
}

function describe(sent: readonly Sent[], { from, to }: { from: number; to: number }) {
  const during = sent.filter(({ plannedAt }) => plannedAt >= from - 1000 && plannedAt <= to);
  const answers = during.filter(({ isRight }) => isRight).map(({ answeredAt }) => answeredAt);
  const moments = [from, ...answers.filter((at) => at > from), to].toSorted((a, b) => a - b);
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
  return {
    "s without an accepted contact": Number((Math.max(...gaps) / 1000).toFixed(1)),
    sent: during.length,
    refused: during.length - answers.length,
  };
}

/** Sends from the address in `X-Forwarded-For`, as the visitor there would, on a connection of its own. */
async function sendAsVisitor(
  { url, init = {}, email = "" }: Request,
  { plannedAt = performance.now() } = {},
): Promise<Sent> {
  const sentAt = performance.now();
  const { "x-forwarded-for": localAddress, ...headers } = init.headers as Record<string, string>;
  const { promise: answered, resolve } = Promise.withResolvers<number>();
  const signal = AbortSignal.timeout(answerSecondsMax * 1000);
  const sending = httpRequest(url, { method: "POST", headers, localAddress, agent: false, signal }, (answer) =>
    text(answer).then(
      () => resolve(answer.statusCode ?? 0),
      () => resolve(0),
    ),
  );
  sending.on("error", () => resolve(0)).end(init.body);
  const status = await answered;
  return { email, plannedAt, sentAt, answeredAt: performance.now(), status, isRight: status === 201 };
}
