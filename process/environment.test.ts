import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { readEnvFile, readEnvironment } from "./environment.ts";

test("a file in another encoding than UTF-8 is refused in a sentence", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "env");
  // PowerShell 5 writes UTF-16 for `>`.
  for (const encoding of ["utf16le", "latin1"] as const) {
    await writeFile(file, "\ufeffMAIL_FROM=Käuze <owls@site.example>\r\n", encoding);
    expect(() => readEnvFile({ ENV_FILE: file })).toThrow(`ENV_FILE: ${file} cannot be read: it is not in UTF-8.`);
  }
});

test("readEnvironment completes the environment with the file of ENV_FILE, and the environment wins", async () => {
  const folder = await temporaryFolder();
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
