import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment } from "./environment.ts";

test("readEnvironment completes the environment with the file of ENV_FILE, and the environment wins", async () => {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "env");
  await writeFile(
    file,
    '\ufeffPORT=4000\n# Mail\nMAIL_FROM="Owls <owls@site.example>" # of the office\nPASSWORD_MIN=9\n',
  );
  expect(readEnvironment({ ENV_FILE: file, PORT: "5000" })).toEqual({
    ENV_FILE: file,
    PORT: "5000",
    MAIL_FROM: "Owls <owls@site.example>",
    PASSWORD_MIN: "9",
  });
  expect(readEnvironment({ ENV_FILE: file }).PORT).toBe("4000");
  expect(readEnvironment({ ENV_FILE: "" })).toEqual({ ENV_FILE: "" });

  const missing = join(folder, "missing");
  expect(() => readEnvironment({ ENV_FILE: missing })).toThrow(
    `ENV_FILE: ${missing} cannot be read: it does not exist.`,
  );
  expect(() => readEnvironment({ ENV_FILE: folder })).toThrow(`ENV_FILE: ${folder} cannot be read: it is a folder.`);
});
