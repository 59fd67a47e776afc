// `npm run workflow -- JOB …` runs the commands of these jobs of .github/workflows/ on this machine, without the actions that
// prepare GitHub's. Without a job it lists them.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { parse } from "yaml";

interface Workflow {
  jobs: Record<string, { steps: readonly { run?: string }[] }>;
}

const jobs: Workflow["jobs"] = Object.assign(
  {},
  ...globSync(".github/workflows/*.yml").map((file) => (parse(readFileSync(file, "utf8")) as Workflow).jobs),
);
const names = process.argv.slice(2);
if (names.length === 0) console.log(Object.keys(jobs).join("\n"));

for (const name of names) {
  const { steps } = jobs[name] ?? fail(`There is no job ${name}. These are: ${Object.keys(jobs).join(", ")}.`);
  for (const { run } of steps) {
    if (run === undefined) continue;
    console.log(`\n── ${name}: ${run}`);
    const { status } = spawnSync("bash", ["-e", "-c", run], { stdio: "inherit" });
    if (status !== 0) fail(`── ${name}: it ended with ${status}.`);
  }
}

function fail(problem: string): never {
  console.error(problem);
  process.exit(1);
}
