import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { makeFolder } from "./make-folder.ts";
import { explainFileError } from "./start-error.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "");
});

const explained = (work: Promise<unknown>) =>
  work.catch((error: unknown) => (explainFileError("It cannot be used", error) as Error).message);

test("explainFileError explains what the operating system says, and leaves other errors as they are", async () => {
  expect(await explained(readFile(folder))).toBe("It cannot be used: it is a folder.");
  expect(await explained(readFile(join(folder, "none")))).toBe("It cannot be used: it does not exist.");
  expect(await explained(makeFolder(join(folder, "file/x")))).toBe(
    "It cannot be used: a file is where a folder should be.",
  );
  const bug = new TypeError("undefined is not a function");
  expect(explainFileError("It cannot be used", bug)).toBe(bug);
});

test.runIf(process.platform === "linux")("explainFileError explains a full disk", async () => {
  expect(await explained(writeFile("/dev/full", "a contact"))).toBe("It cannot be used: the disk is full.");
});
