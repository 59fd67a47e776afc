/**
 * `npm run cluster -- faults` breaks the cluster of docs/deploying.md#a-cluster in every way that it should survive, while
 * 50 visitors a second send contacts. Is a contact lost that was answered with success, stored twice, or announced twice?
 * `up` only makes the cluster, and keeps it until it is stopped; meanwhile `status` shows its members, and `run db1
 * COMMAND` runs a command on one of its machines. The machines are namespaces with a systemd of Debian 13 in each: nothing
 * of them is left at the end. Needs root on Debian. `--rounds` sets how often each fault happens, `--only switchover,full`
 * selects faults, `--seed` repeats an order.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensurePrograms } from "../scripts/debian-packages.mjs";
import { makeSiteFolder } from "../tests/deploy/site-folder.ts";
import { breakCluster } from "./cluster/break-cluster.ts";
import { gateway, type Machine, makeDebian, prepareHost } from "./cluster/machines.ts";
import { installation, setUp } from "./cluster/setup.ts";
import { startMailServer } from "./load/mail-server.ts";
import { runMeasurement } from "./load/measurement.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});
const [command = "", ...words] = positionals;
const cache = fileURLToPath(new URL("../.cache/cluster", import.meta.url));
/** With other packages it is another folder. */
const debian = join(cache, `debian-13-${createHash("sha256").update(installation()).digest("hex").slice(0, 8)}`);
const socketPath = join(cache, "control.sock");

if (command === "status") await control("db1", "patronictl -c /etc/patroni/config.yml list");
else if (command === "run") await control(words[0] ?? "", words.slice(1).join(" "));
else if (command === "down") await control("", "");
else if (command === "up" || command === "faults") await (process.env.IN_CLUSTER ? inside() : outside());
else console.log("Usage: npm run cluster -- up | status | run MACHINE COMMAND | down | faults");

/** Starts this program again in namespaces of its own. All that is in them ends with this process. */
async function outside() {
  ensurePrograms({
    debootstrap: "debootstrap",
    ip: "iproute2",
    nsenter: "util-linux",
    "mkfs.ext4": "e2fsprogs",
    vde_switch: "vde2",
  });
  mkdirSync(cache, { recursive: true });
  makeDebian(debian, installation(), (line) => console.error(line));
  const namespaces = "--mount --pid --net --fork --kill-child --mount-proc --propagation=private".split(" ");
  const child = spawn("unshare", [...namespaces, process.execPath, ...process.argv.slice(1)], {
    // Ctrl+C reaches this process only, which then ends the input of the other.
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...process.env, IN_CLUSTER: "yes" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.stdin.end());
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
}

async function inside() {
  await runMeasurement("cluster", async (measurement) => {
    const { folder, progress, fail } = measurement;
    const stopped = once(process.stdin.resume(), "end");
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
    const cluster = await setUp({ debian, site, folder, settings, progress });
    const machines = [...cluster.databases, cluster.web];
    try {
      if (command === "up") {
        progress("The cluster is up. Ctrl+C ends it.");
        await Promise.race([stopped, answerCommands(machines)]);
        return {};
      }
      stopped.then(() => fail("Stopped."));
      return await breakCluster(cluster, mail, measurement, options);
    } finally {
      await Promise.all(machines.map((each) => each.crash()));
    }
  });
}

/** Runs the commands of `status` and `run`, until that of `down` comes. */
async function answerCommands(machines: readonly Machine[]) {
  const { promise: isDown, resolve } = Promise.withResolvers<void>();
  const server = createServer(async ({ url = "" }, response) => {
    const [name, line = ""] = decodeURIComponent(url.slice(1)).split(/ (.*)/s);
    const machine = machines.find((each) => each.name === name);
    if (name === "") resolve();
    const answer = machine ? machine.run(line).catch((error: Error) => `${error.message}\n`) : "";
    response.end(await answer);
  });
  rmSync(socketPath, { force: true });
  server.listen(socketPath);
  await isDown;
}

/** Asks the process of `up`. */
async function control(machine: string, line: string) {
  try {
    const asking = request({ socketPath, path: `/${encodeURIComponent(`${machine} ${line}`)}` }).end();
    const [answer] = await once(asking, "response");
    process.stdout.write(await text(answer));
  } catch {
    console.log("No cluster is up: npm run cluster -- up");
    process.exitCode = 1;
  }
}
