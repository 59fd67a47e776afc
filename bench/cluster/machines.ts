import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** The network of the machines. This process is at its end, as the mail server and as the way to all visitors. */
export const gateway = "10.0.0.250";
/** The networks of all visitors (`publicAddress`), whose addresses this process has. */
export const visitors = "8.0.0.0/5";
const diskMegabytes = 1500;
const answerBytesMax = 64 * 1024 * 1024;

/** What a machine has before it is set up: Debian 13 with the packages of docs/deploying.md. Made once, in minutes. */
export function makeDebian(folder: string, install: string, progress: (text: string) => void) {
  if (existsSync(folder)) return;
  progress("installing Debian 13, once");
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const policy = execFileSync("apt-cache", ["policy"], { encoding: "utf8" });
  const mirror = /https?:\/\/\S+\/debian\b/.exec(policy)?.[0] ?? "";
  execFileSync("debootstrap", ["--variant=minbase", "trixie", draft, ...(mirror ? [mirror] : [])], { stdio: "ignore" });
  progress("installing its packages");
  // Without systemd nothing starts.
  const environment = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" };
  const inside = `mount -t proc proc /proc\napt-get update -q\n${install}\napt-get clean`;
  execFileSync("unshare", ["--mount", "chroot", draft, "sh", "-euc", inside], {
    stdio: "ignore",
    env: environment,
  });
  renameSync(draft, folder);
}

/**
 * A bridge of the machines and a place for their cgroups, in namespaces that this process has for itself. Without an
 * address of its own the bridge has that of a machine, and answers to visitors would be lost when that one is.
 */
export async function prepareHost() {
  await execute("sh", [
    "-euc",
    `mount -t cgroup2 cgroup2 /sys/fs/cgroup
     ip link set lo up
     ip link add machines address 02:00:00:00:00:fa type bridge
     ip address add ${gateway}/24 dev machines
     ip link set machines up
     ip route add local ${visitors} dev lo`,
  ]);
}

interface MachineOptions {
  name: string;
  address: string;
  /** Debian with all packages, which machines share. */
  debian: string;
  /** The built site. */
  site: string;
  /** What the machine changes stays here while it is off. */
  folder: string;
}

/** A machine with a systemd of its own in namespaces. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #options: MachineOptions;
  #unshare: ChildProcess | undefined;
  #init = "";

  constructor(options: MachineOptions) {
    this.name = options.name;
    this.address = options.address;
    this.#options = options;
  }

  async boot() {
    const { name, address, debian, site, folder } = this.#options;
    mkdirSync(folder, { recursive: true });
    const disk = `${folder}.disk`;
    if (!existsSync(disk)) {
      await execute("truncate", [`--size=${diskMegabytes}M`, disk]);
      await execute("mkfs.ext4", ["-q", "-m", "0", disk]);
    }
    // A cgroup of its own, which is the root of its cgroup namespace.
    const group = this.#cgroup();
    mkdirSync(group, { recursive: true });
    const boot = `echo $$ > "${group}/cgroup.procs"
      exec unshare --mount --pid --cgroup --uts --ipc --net --fork --kill-child --propagation private \
        sh tests/support/boot-systemd.sh "${folder}" "${debian}" bench/cluster/prepare-machine.sh multi-user.target`;
    const environment = { NAME: name, ADDRESS: address, GATEWAY: gateway, DISK: disk, SITE: site };
    const child = spawn("sh", ["-euc", boot], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#unshare = child;
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    while (!this.#init) {
      if (child.exitCode !== null) throw new Error(`${name} did not boot.\n${errors}`);
      const { stdout } = await execute("cat", [`/proc/${child.pid}/task/${child.pid}/children`]);
      this.#init = stdout.trim();
    }
    await execute("ip", `link add ${name} type veth peer name eth0 netns ${this.#init}`.split(" "));
    await execute("ip", ["link", "set", name, "master", "machines", "up"]);
    while (!/running|degraded/.test(await this.run("systemctl is-system-running || true").catch(() => "")))
      await pause(200);
  }

  /** Runs a command of the shell as root, in root's home, and resolves with its output. */
  run(command: string): Promise<string> {
    return this.write("", command);
  }

  /** The same with an input. */
  async write(input: string, command: string): Promise<string> {
    const running = execute("nsenter", [`--target=${this.#init}`, "--all", "--root", "sh", "-euc", `cd; ${command}`], {
      maxBuffer: answerBytesMax,
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LANG: "C.UTF-8" },
    });
    running.child.stdin?.on("error", () => {}).end(input);
    return (await running).stdout;
  }

  /** Connects it to the network of the machines, or takes out the cable. */
  async plug(direction: "up" | "down") {
    await execute("ip", ["link", "set", this.name, direction]);
  }

  /** Ends as at a power cut: without a word to the network, at any moment. */
  async crash() {
    const child = this.#unshare;
    if (!child) return;
    await this.plug("down").catch(() => {});
    const ended = once(child, "exit");
    await execute("kill", ["-KILL", this.#init]).catch(() => {});
    await ended;
    this.#init = "";
    await execute("ip", ["link", "delete", this.name]).catch(() => {});
    await execute("find", [this.#cgroup(), "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"]).catch(() => {});
  }

  #cgroup(): string {
    return `/sys/fs/cgroup/fernway-${this.name}`;
  }
}
