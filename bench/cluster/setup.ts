import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gateway, Machine, visitors } from "./machines.ts";

/** The commands of docs/deploying.md#a-cluster, in their order; the first line of each says where they are run. */
function readChapter(): string[] {
  const text = readFileSync(new URL("../../docs/deploying.md", import.meta.url), "utf8");
  const chapter = /^## A cluster\n(.*?)^## /ms.exec(text)?.[1] ?? "";
  return [...chapter.matchAll(/^```sh\n(# on .*?)^```$/gms)].map(([, block = ""]) => block);
}

/** Installs what a server needs, and what the chapter installs: the machines themselves reach no mirror. */
export function installation(): string {
  const ofDebian = "systemd systemd-sysv dbus sudo iproute2 nftables openssl ca-certificates nodejs npm libatomic1";
  return `apt-get install --yes --no-install-recommends ${ofDebian}\n${readChapter()[0]}`;
}

export interface Cluster {
  /** db1 to db3, each with etcd, Patroni, PostgreSQL and HAProxy. */
  databases: readonly Machine[];
  /** Those with a site. */
  sites: readonly Machine[];
  /** HAProxy alone, where visitors arrive. */
  web: Machine;
  /** Where the sites find the database. */
  databaseUrl: string;
}

interface Options {
  debian: string;
  site: string;
  folder: string;
  settings: Record<string, string>;
  progress(text: string): void;
}

/** Boots the machines, and follows docs/deploying.md#a-cluster on them. */
export async function setUp({ settings, progress, ...shared }: Options): Promise<Cluster> {
  const machine = (name: string, address: string) =>
    new Machine({ ...shared, name, address, folder: join(shared.folder, name) });
  const databases = [1, 2, 3].map((number) => machine(`db${number}`, `10.0.0.${number}`));
  const [db1, ...others] = databases as [Machine, Machine, Machine];
  const sites = [db1, others[0]];
  const web = machine("web", "10.0.0.4");
  progress("booting four machines");
  await Promise.all([...databases, web].map((each) => each.boot()));

  const [, secrets = "", , , prepare = ""] = readChapter();
  progress("following docs/deploying.md: etcd, Patroni, PostgreSQL, HAProxy");
  await db1.run(secrets);
  await Promise.all(others.map((each) => copySecrets(db1, each)));
  await Promise.all(databases.map(configure));
  await web.run(`${/^printf .* \/etc\/hosts$/m.exec(installation())?.[0]}
    cp /srv/fernway/current/deploy/cluster/haproxy.cfg /etc/haproxy/
    ip route add ${visitors} via ${gateway}
    systemctl restart haproxy`);
  await untilHealthy({ databases, sites: [] });

  progress("the database and two sites");
  const databaseUrl = `postgres://fernway:${randomBytes(16).toString("hex")}@127.0.0.1:5000/fernway?sslmode=verify-ca&sslrootcert=/etc/patroni/server.crt`;
  const environment = { ...settings, TRUST_PROXY: "10.0.0.0/24", DATABASE_URL: databaseUrl };
  await Promise.all(
    sites.map(async (each) => {
      await each.run("useradd --system --no-create-home --shell /usr/sbin/nologin fernway");
      const lines = Object.entries({ ...environment, HOST: each.address }).map(
        ([name, value]) => `${name}='${value}'\n`,
      );
      await each.write(lines.join(""), "cat | install --group=fernway --mode=640 /dev/stdin /etc/fernway.env");
    }),
  );
  const cluster = { databases, sites, web, databaseUrl };
  const [onSite = "", onLeader = ""] = prepare.split(/^(?=sudo -u postgres psql <)/m);
  const sql = await db1.run(`${onSite}\ncat ~/setup.sql`);
  await (await requirePrimary(cluster)).write(sql, `cat > setup.sql; ${onLeader}`);
  for (const each of sites) {
    await each.run(
      "cp /srv/fernway/current/deploy/fernway.service /etc/systemd/system/; systemctl enable --now fernway",
    );
    await untilSiteIsReady(each);
  }
  return cluster;
}

async function copySecrets(from: Machine, to: Machine) {
  await to.write(await from.run("tar --create cluster | base64"), "base64 --decode | tar --extract");
}

/** What the chapter does on each machine. */
async function configure(machine: Machine) {
  const [install = "", , configuration = ""] = readChapter();
  const own = `name=${machine.name} address=${machine.address}`;
  await machine.run(`${install.replace("name=db1 address=10.0.0.1", own)}\n${configuration}`);
}

/** The machine whose Patroni calls itself the leader. */
export async function requirePrimary({ databases }: Cluster): Promise<Machine> {
  for (;;) {
    const answers = await Promise.all(databases.map(({ address }) => isOk(`http://${address}:8008/primary`)));
    const primary = databases.find((_, index) => answers[index]);
    if (primary) return primary;
    await pause(100);
  }
}

/** Waits until each machine sees one leader and two standbys that a commit may count on, and both sites answer. */
export async function untilHealthy({ databases, sites }: Pick<Cluster, "databases" | "sites">, signal?: AbortSignal) {
  while (!(await Promise.all(databases.map(seesQuorum))).every((sees) => sees)) await pause(250, undefined, { signal });
  await Promise.all(sites.map(untilSiteIsReady));
}

async function seesQuorum(machine: Machine): Promise<boolean> {
  const list = await machine.run("patronictl -c /etc/patroni/config.yml list").catch(() => "");
  return /Leader +\| running/.test(list) && list.match(/Quorum Standby \| streaming/g)?.length === 2;
}

async function untilSiteIsReady({ address }: Machine) {
  while (!(await isOk(`http://${address}:3000/readyz`))) await pause(200);
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
