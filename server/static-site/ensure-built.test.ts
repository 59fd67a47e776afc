import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { StartError } from "#process/start-error";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { readAssets } from "./assets.ts";
import { ensureBuilt, keepLastScripts } from "./ensure-built.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

const build = (buildDir: string, stop?: AbortSignal, onBuild = () => {}) =>
  ensureBuilt({ siteUrl: "https://site.example", publicUrl: undefined, publicKey: "key", buildDir }, onBuild, stop);

test("a build refuses a folder with files that no build made, and leaves them alone", async () => {
  await writeFile(join(folder, "contacts.csv"), "");
  await expect(build(folder)).rejects.toThrow(
    new StartError(
      `${folder} (BUILD_DIR) holds files that no build of this site made, and a build would remove them. Set BUILD_DIR to another folder, or empty this one.`,
    ),
  );
  expect(await readdir(folder)).toEqual(["contacts.csv"]);
});

test("a build says in one sentence that a file is in the way of its folder, and leaves the file alone", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  for (const buildDir of [file, join(file, "dist")]) {
    await expect(build(buildDir)).rejects.toThrow(
      new StartError(`The site cannot be built in ${buildDir} (BUILD_DIR): a file is where a folder should be.`),
    );
  }
  expect(await readdir(folder)).toEqual(["file"]);
});

test("a build removes what a killed build has left, not the folder of one that runs, and nothing stays of one that is stopped", async () => {
  const [left, running] = [join(folder, "dist-unfinished-123456"), join(folder, "dist-unfinished-abcdef")];
  for (const each of [left, running]) await mkdir(each);
  await utimes(left, 0, 0);
  await expect(build(join(folder, "dist"), AbortSignal.abort())).rejects.toThrow("aborted");
  expect(await readdir(folder)).toEqual(["dist-unfinished-abcdef"]);
});

test("a build that takes long says so every ten seconds", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const stop = new AbortController();
    const began = Promise.withResolvers<void>();
    const building = build(join(folder, "dist"), stop.signal, began.resolve);
    await began.promise;
    vi.advanceTimersByTime(20_000);
    expect(printed.mock.calls).toEqual([["Still building."], ["Still building."]]);
    stop.abort();
    await expect(building).rejects.toThrow("aborted");
  } finally {
    vi.useRealTimers();
    printed.mockRestore();
  }
});

test("a build keeps the scripts that it replaces for a day, for pages that are still open", async () => {
  for (const [number, last] of [[1], [2, 1], [3, 2]] as const) {
    const fresh = join(folder, String(number), "_astro");
    await mkdir(fresh, { recursive: true });
    await writeFile(join(fresh, `form.${number}.js`), "");
    await keepLastScripts(join(folder, String(last ?? "none")), join(folder, String(number)));
  }
  const assets = await readAssets(join(folder, "3"));
  expect([...assets.keys()].sort()).toEqual(["/_astro/form.1.js", "/_astro/form.2.js", "/_astro/form.3.js"]);
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(folder, "3", ".last-build", "_astro", "form.1.js"), longAgo, longAgo);
  await keepLastScripts(join(folder, "3"), join(folder, "4"));
  expect([...(await readAssets(join(folder, "4"))).keys()].sort()).toEqual(["/_astro/form.2.js", "/_astro/form.3.js"]);
  expect(assets.get("/_astro/form.2.js")?.cacheControl).toContain("immutable");
});
