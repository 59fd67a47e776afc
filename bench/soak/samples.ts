import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type pg from "pg";

/** The server's resources at one moment; `files` is undefined on systems without /proc. */
export interface Sample {
  residentBytes: number;
  files: number | undefined;
  connections: number;
}

const inspectorSecondsMax = 20;

export async function takeSample(pid: number, database: pg.Pool): Promise<Sample> {
  const { rows } = await database.query<{ count: number }>(
    // The query leaves out the only connection of this measurement.
    "select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return { residentBytes: await residentBytes(pid), files: await openFiles(pid), connections: rows[0]?.count ?? 0 };
}

async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", `${pid}`]).catch(() => ({ stdout: "" }));
  const kilobytes = stdout || /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

async function openFiles(pid: number): Promise<number | undefined> {
  return readdir(`/proc/${pid}/fd`).then(
    (files) => files.length,
    () => undefined,
  );
}

/**
 * Returns the used heap size, which Node's inspector reports. Collects garbage first, because otherwise the size varies
 * too much.
 */
export async function heapBytes(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  const limit = AbortSignal.timeout(inspectorSecondsMax * 1000);
  try {
    await event(socket, "open", limit);
    await call(1, "HeapProfiler.collectGarbage");
    return (await call(2, "Runtime.getHeapUsage")).usedSize;
  } finally {
    socket.close();
  }

  async function call(id: number, method: string): Promise<{ usedSize: number }> {
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const answer = JSON.parse((await event(socket, "message", limit)).data);
      if (answer.id === id) return answer.result;
    }
  }
}

function event(socket: WebSocket, name: "open" | "message", limit: AbortSignal): Promise<MessageEvent> {
  return new Promise((resolve, reject) => {
    limit.addEventListener("abort", () => reject(new Error("The inspector of the server does not answer.")));
    socket.addEventListener("error", () => reject(new Error("The inspector of the server broke off.")), { once: true });
    socket.addEventListener(name, (received) => resolve(received as MessageEvent), { once: true });
  });
}

/** The number of rows in each table of the schema auth. */
export async function countAuthRows(database: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'auth' order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: counted } = await database.query<{ count: number }>(`select count(*)::int from auth."${name}"`);
    counts[name] = counted[0]?.count ?? 0;
  }
  return counts;
}
