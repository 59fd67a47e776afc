import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvFile, readEnvironment } from "./environment.ts";

test("the file may be UTF-8 or UTF-16, with or without a byte order mark; any other is refused in a sentence", async () => {
  const folder = await mkdtemp(join(tmpdir(), "settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "env");
  const text = "MAIL_FROM=Käuze <owls@site.example>\r\nPORT=4000\r\n";
  const little = (each: string) => Buffer.from(each, "utf16le");
  const big = (each: string) => little(each).swap16();
  // PowerShell 5 writes UTF-16 with the mark for `>`.
  for (const encode of [Buffer.from, little, big])
    for (const mark of ["\ufeff", ""]) {
      await writeFile(file, encode(mark + text));
      expect(readEnvFile({ ENV_FILE: file })).toEqual({ MAIL_FROM: "Käuze <owls@site.example>", PORT: "4000" });
    }
  await writeFile(file, "");
  expect(readEnvFile({ ENV_FILE: file })).toEqual({});
  await writeFile(file, Buffer.from(text, "latin1"));
  expect(() => readEnvFile({ ENV_FILE: file })).toThrow(`ENV_FILE: ${file} cannot be read: it is not in UTF-8.`);
});

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
