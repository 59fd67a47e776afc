import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** Where a proxy of `deploy/` listens in a test, and the ports of the servers behind it. */
interface ProxyPorts {
  http: number;
  https: number;
  servers: readonly [number, number];
}

export interface RunningProxy {
  /** What the proxy printed so far. */
  output(): string;
  /** Sends requests to the server at this port from now on. nginx finds out by itself. */
  leadTo(port: number): Promise<void>;
  stop(): Promise<void>;
}

interface ProxyOptions {
  /** For the configuration, the certificate and temporary files; it must exist. */
  folder: string;
  ports: ProxyPorts;
  /** A command that runs another one, such as `nsenter … --`. */
  within?: readonly string[];
}

/** Starts nginx with `deploy/nginx.conf`, in which only ports and certificate differ. */
export async function startNginx({ folder, ports, within = [] }: ProxyOptions): Promise<RunningProxy> {
  const { certificate, key } = makeCertificate(folder);
  const config = substitute("nginx.conf", {
    "listen 80;": `listen ${ports.http};`,
    "listen [::]:80;": "",
    "listen 443 ssl http2;": `listen ${ports.https} ssl http2;`,
    "listen [::]:443 ssl http2;": "",
    "/etc/letsencrypt/live/example.com/fullchain.pem": certificate,
    "/etc/letsencrypt/live/example.com/privkey.pem": key,
    "/var/log/nginx/": `${folder}/`,
    "127.0.0.1:3000": `127.0.0.1:${ports.servers[0]}`,
    "127.0.0.1:3001": `127.0.0.1:${ports.servers[1]}`,
  });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
${process.getuid?.() === 0 ? "user root;" : ""}
events {}
http { access_log off; ${temporary.join(" ")}
${config} }`,
  );
  const child = start([...within, "nginx", "-p", folder, "-c", file], folder);
  await untilListening(child, ports.https, within);
  return child;
}

/** Starts Caddy with `deploy/Caddyfile`, in which only ports and certificate differ. */
export async function startCaddy({ folder, ports, within = [] }: ProxyOptions): Promise<RunningProxy> {
  const { certificate, key } = makeCertificate(folder);
  const socket = `unix/${join(folder, "admin.sock")}`;
  const file = join(folder, "Caddyfile");
  const write = (server: number) =>
    writeFileSync(
      file,
      substitute("Caddyfile", {
        "{\n\tservers": `{\n\tadmin ${socket}\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tservers`,
        "\nwww.example.com {": `\nwww.example.com {\n\ttls ${certificate} ${key}`,
        "\nexample.com {": `\nexample.com {\n\ttls ${certificate} ${key}`,
        "127.0.0.1:3000": `127.0.0.1:${server}`,
      }),
    );
  write(ports.servers[0]);
  const child = start([...within, "caddy", "run", "--config", file, "--adapter", "caddyfile"], folder);
  await untilListening(child, ports.https, within);
  return {
    ...child,
    async leadTo(server) {
      write(server);
      await promisify(execFile)("caddy", ["reload", "--config", file, "--adapter", "caddyfile", "--address", socket]);
    },
  };
}

/** A replacement that finds nothing is an error: otherwise a test could use the file with the wrong ports. */
function substitute(name: string, replacements: Record<string, string>): string {
  let text = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
  for (const [old, fresh] of Object.entries(replacements)) {
    if (!text.includes(old)) throw new Error(`deploy/${name} does not contain ${JSON.stringify(old)}.`);
    text = text.replaceAll(old, fresh);
  }
  return text;
}

/** A certificate for example.com and its subdomains that no browser trusts. */
function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const names = "subjectAltName=DNS:example.com,DNS:*.example.com";
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"].concat([
      "-subj",
      "/CN=example.com",
      "-addext",
      names,
      "-keyout",
      key,
      "-out",
      certificate,
    ]),
    { stdio: "ignore" },
  );
  return { certificate, key };
}

function start([command = "", ...args]: readonly string[], folder: string): RunningProxy & { child: ChildProcess } {
  mkdirSync(join(folder, "home"), { recursive: true });
  const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: join(folder, "home") };
  const child = spawn(command, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.on("data", (chunk) => (printed += chunk));
  return {
    child,
    output: () => printed,
    async leadTo() {},
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function untilListening({ child, output }: ReturnType<typeof start>, port: number, within: readonly string[]) {
  const [command = "", ...args] = [...within, "curl", "--insecure", "--silent", `https://127.0.0.1:${port}/`];
  while (child.exitCode === null) {
    const [code] = await once(spawn(command, args, { stdio: "ignore" }), "exit");
    // 35: Caddy listens, and has no certificate for a host without a name.
    if (code === 0 || code === 35) return;
    await pause(50);
  }
  throw new Error(`The proxy ended before it listened.\n${output()}`);
}
