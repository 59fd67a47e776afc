import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

/**
 * Writes a configuration with which nginx touches nothing outside of `folder`; `http` is the content of that block.
 * Resolves with the arguments of nginx.
 */
export async function writeNginxFiles(folder: string, http: string): Promise<string[]> {
  const file = join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off;
master_process off;
pid ${folder}/pid;
error_log ${folder}/log;
events { worker_connections 8192; }
http {
  ${temporaryPaths.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
${http}
}
`,
  );
  return ["-p", folder, "-c", file, "-e", join(folder, "log")];
}
