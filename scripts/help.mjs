// `npm run help`: every command with one line. It needs no installed package, so it works in a fresh clone.

/** What a script is given, as it is typed. */
const inputs = { backup: "[-- FILE]", restore: "-- FILE", test: "[-- FILE[:LINE]]", workflow: "-- JOB" };

/** What each script of package.json does. `npm run` alone lists them without a word about any. */
const groups = {
  "To run the site": {
    start: "serves the site; the first start sets up everything",
    admin: "manages accounts and admins; alone, lists commands",
    doctor: "says what is wrong with the set-up; changes nothing",
    backup: "writes the whole database to one file",
    restore: "fills an empty database from such a file",
    build: "builds the pages without starting anything",
    placeholders: "lists what in content/ is still as shipped",
    demo: "fills the inbox with 300 invented contacts",
    help: "this list",
  },
  "To change it": {
    dev: "shows changes as they are saved",
    test: "runs all tests as in CI, or those of one file",
    "test:long": "the tests that take longer: half an hour",
    format: "formats the code, fixes what the linter can",
    screenshots: "pages as the tests leave them, in screenshots/",
    "write-hosted-templates": "writes the email templates of a hosted project",
    workflow: "runs the commands of one job of the CI here",
    release: "says whether this commit can be released",
  },
  "To test it under stress": {
    chaos: "kills server, PostgreSQL and mail server",
    restarts: "restarts PostgreSQL under load",
    cluster: "kills, switches and cuts off a primary under load",
    attack: "sends bad requests and floods",
    bench: "speed compared with the bare database and server",
    "bench:page": "how close each page comes to the fastest possible",
  },
};

for (const [title, commands] of Object.entries(groups)) {
  const lines = Object.entries(commands).map(([name, purpose]) => [typed(name), purpose]);
  const width = Math.max(...lines.map(([command]) => command.length));
  console.log(`\n${title}`);
  for (const [command, purpose] of lines) console.log(`  ${command.padEnd(width)}  ${purpose}`);
}
console.log("\nSettings: docs/settings.md. What to do when something breaks: docs/operating.md.\n");

function typed(name) {
  const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
  return name in inputs ? `${command} ${inputs[name]}` : command;
}
