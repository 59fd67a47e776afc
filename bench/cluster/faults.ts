import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../load/seeded-random.ts";
import type { Machine } from "./machines.ts";
import { type Cluster, ofRole, replaceMachine, requirePrimary, untilSiteIsReady } from "./setup.ts";

export interface Fault {
  /** Whether no contact may be refused meanwhile. */
  refusesNone?: boolean;
  /** Breaks something, and repairs it where nothing else does. Resolves when only the cluster's own recovery is left. */
  happen(cluster: Cluster, tools: Tools): Promise<void>;
}

interface Tools {
  random: Random;
  wait(seconds: number): Promise<void>;
  /** A site ended, or can neither announce a contact nor store that it did. */
  lostSite(): void;
  /** Writes contacts on a machine itself, as long as `during` takes. */
  writeOn(machine: Machine, during: Promise<void>): Promise<void>;
}

const postmaster = "$(head -1 /var/lib/postgresql/17/fernway/postmaster.pid)";

/** Longer than a lost primary takes to be replaced, so that a repair meets the next one. */
const outageSeconds = 35;

export const faults: Readonly<Record<string, Fault>> = {
  "kill -9 of the primary's PostgreSQL": {
    refusesNone: true,
    async happen(cluster) {
      await (await requirePrimary(cluster)).run(`kill -KILL ${postmaster}`);
    },
  },
  "kill -9 of the primary's Patroni": {
    refusesNone: true,
    async happen(cluster) {
      // Without `main` the signal reaches PostgreSQL too, which systemd leaves alone when Patroni ends.
      await (await requirePrimary(cluster)).run("systemctl kill --signal=KILL --kill-whom=main patroni");
    },
  },
  "kill -9 of the primary's Patroni and PostgreSQL": {
    async happen(cluster) {
      await (await requirePrimary(cluster)).run("systemctl kill --signal=KILL patroni");
    },
  },
  "the primary's Patroni hangs": {
    async happen(cluster, { wait, writeOn }) {
      const primary = await requirePrimary(cluster);
      await primary.run("systemctl kill --signal=STOP --kill-whom=main patroni");
      await writeOn(primary, wait(outageSeconds));
      await primary.run("systemctl kill --signal=CONT --kill-whom=main patroni");
    },
  },
  "the primary's machine loses its power, and comes back": {
    async happen(cluster, { wait, lostSite }) {
      const primary = await requirePrimary(cluster);
      await primary.crash();
      lostSite();
      await wait(outageSeconds);
      await primary.boot();
    },
  },
  "a machine is lost with its disks, and made anew": {
    async happen(cluster, { wait }) {
      const machine = cluster.databases.find((each) => !cluster.sites.includes(each)) as Machine;
      await machine.crash();
      await wait(outageSeconds);
      await replaceMachine(cluster, machine);
    },
  },
  "the primary is cut off": {
    async happen(cluster, { wait, writeOn, lostSite }) {
      const primary = await requirePrimary(cluster);
      await primary.plug("down");
      lostSite();
      await writeOn(primary, wait(outageSeconds));
      await primary.plug("up");
    },
  },
  "a standby is cut off": {
    refusesNone: true,
    async happen(cluster, { random, wait, lostSite }) {
      const standby = random.shuffled(await ofRole(cluster, "replica"))[0];
      await standby?.plug("down");
      if (standby && cluster.sites.includes(standby)) lostSite();
      await wait(outageSeconds);
      await standby?.plug("up");
    },
  },
  "etcd loses its leader": {
    refusesNone: true,
    async happen(cluster, { wait }) {
      const leader = await etcdLeader(cluster);
      await leader.run("systemctl kill --signal=KILL etcd; systemctl stop etcd");
      await wait(outageSeconds);
      await leader.run("systemctl start etcd");
    },
  },
  "etcd loses its majority": {
    refusesNone: true,
    async happen(cluster, { random, wait }) {
      const two = random.shuffled(cluster.databases).slice(1);
      await Promise.all(two.map((each) => each.run("systemctl kill --signal=KILL etcd; systemctl stop etcd")));
      await wait(outageSeconds);
      await Promise.all(two.map((each) => each.run("systemctl start --no-block etcd")));
    },
  },
  "HAProxy is restarted at both sites": {
    refusesNone: true,
    async happen({ sites }, { wait }) {
      for (const site of sites) {
        await site.run("systemctl restart haproxy");
        await wait(3);
      }
    },
  },
  "a planned switchover": {
    refusesNone: true,
    async happen(cluster, { random }) {
      const primary = await requirePrimary(cluster);
      const candidate = random.shuffled(await ofRole(cluster, "replica"))[0];
      await primary.run(
        `patronictl -c /etc/patroni/config.yml switchover --leader ${primary.name} --candidate ${candidate?.name} --force`,
      );
    },
  },
  "the primary's disk is full": {
    async happen(cluster, { wait }) {
      const primary = await requirePrimary(cluster);
      const disk = "/var/lib/postgresql";
      await primary.run(`dd if=/dev/zero of=${disk}/ballast bs=1M 2> /dev/null || true`);
      await wait(outageSeconds / 2);
      await primary.run(`rm ${disk}/ballast`);
    },
  },
  "5 % of the packets between the databases are lost": {
    async happen({ databases }, { wait }) {
      const lose = `nft 'add table ip loss; add chain ip loss out { type filter hook output priority 0; }
        add rule ip loss out oifname eth0 ip daddr { ${databases.map(({ address }) => address).join(", ")} } numgen random mod 100 < 5 drop'`;
      await Promise.all(databases.map((each) => each.run(lose)));
      await wait(outageSeconds);
      await Promise.all(databases.map((each) => each.run("nft delete table ip loss")));
    },
  },
  "packets take 200 ms between the databases": {
    async happen({ databases }, { wait }) {
      const ends = await Promise.all(databases.map((each) => each.delay(100)));
      await wait(outageSeconds);
      await Promise.all(ends.map((end) => end()));
    },
  },
  "kill -9 of a site": {
    async happen({ sites }, { random, lostSite }) {
      await sites[random.below(sites.length)]?.run("systemctl kill --signal=KILL fernway");
      lostSite();
    },
  },
};

/**
 * Waits until there is one leader and two standbys that a commit may count on, and all of etcd and both sites answer. A
 * machine that was cut off is back in PostgreSQL before it is back in etcd: the next fault would be a second one.
 */
export async function untilHealthy({ databases, sites }: Cluster, signal: AbortSignal) {
  for (;;) {
    signal.throwIfAborted();
    const etcd = databases.map((each) => each.run("etcdctl endpoint health --command-timeout=2s"));
    const isEtcdHealthy = await Promise.all(etcd).then(
      () => true,
      () => false,
    );
    const members = await Promise.all(databases.map(readMembers));
    const isHealthy = members.every(
      (each) =>
        each.filter(({ role, state }) => role === "leader" && state === "running").length === 1 &&
        each.filter(({ role, state }) => role === "quorum_standby" && state === "streaming").length === 2,
    );
    if (isHealthy && isEtcdHealthy) break;
    await pause(250);
  }
  await Promise.all(sites.map(untilSiteIsReady));
}

interface Member {
  role: string;
  state: string;
}

async function readMembers({ address }: Machine): Promise<Member[]> {
  try {
    const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) });
    return ((await answer.json()) as { members: Member[] }).members;
  } catch {
    return [];
  }
}

async function etcdLeader({ databases }: Cluster): Promise<Machine> {
  for (const each of databases) {
    const status = await each.run("etcdctl endpoint status --write-out=json");
    const [{ Status }] = JSON.parse(status);
    if (Status.leader === Status.header.member_id) return each;
  }
  throw new Error("etcd has no leader.");
}
