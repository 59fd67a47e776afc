import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "#tests/support/findings";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { checkSettings } from "./settings-checks.ts";

test("every unknown name of the file is told, and that others can read its secrets", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "site.env");
  await writeFile(
    file,
    "WEBHOOK_SECRET=owl-feathers-in-the-moonlight\nNOTIFYTO=owner@heron.com\nCONTACT_MONTHS=12\nSMTP_URL=smtp://h\nWEBHOOK_URL=https://u:p@h\nSECRETS_KEY=owl-feathers-in-the-moonlight\n",
  );
  await chmod(file, 0o644);
  const { findings, settings } = checkSettings({ ENV_FILE: file, GREETING: "hello" });
  expect(linesOf(findings)).toEqual([
    `look Every user of this machine can read ${file}, which holds SECRETS_KEY, SMTP_URL, WEBHOOK_URL, WEBHOOK_SECRET.`,
    "BROKEN NOTIFYTO is in the file of ENV_FILE, but is no setting and has no effect.",
  ]);
  expect(settings?.contactMonths).toBe(12);
  // The group may be that of the service.
  await chmod(file, 0o640);
  expect(checkSettings({ ENV_FILE: file }).findings.filter(({ saw }) => saw.includes("can read"))).toEqual([]);
});
