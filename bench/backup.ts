/**
 * `npm run bench:backup` makes backups while visitors send contacts, restores one elsewhere, and logs in there. Is all
 * in it that was acknowledged before, and nothing that came after? How long does it take, how large is the file, and
 * how much longer do visitors wait meanwhile? `--contacts` are stored before, `--seconds` are sent without and with a
 * backup, 50 a second.
 */
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { runBackup } from "./backup/run.ts";

const { values: options } = parseArgs({
  options: {
    contacts: { type: "string", default: "100000" },
    seconds: { type: "string", default: "20" },
  },
});
const started = performance.now();
const progress = (text: string) => console.log(`${((performance.now() - started) / 1000).toFixed(0)} s: ${text}`);
await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
const { figures, problems } = await runBackup({
  seeded: Number(options.contacts),
  seconds: Number(options.seconds),
  perSecond: 50,
  progress,
});
console.table(figures);
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
