// `npm run help`: every command with one line. It needs no installed package, so it works in a fresh clone.

/** What each script of package.json does. `npm run` alone lists them without a word about any. */
const groups = {
  "To run the site": {
    start: "serves the site; the first start sets up everything; Ctrl-C ends it",
    admin: "accounts, and who may read the contacts; without words it tells what it can do",
    doctor: "checks settings, database, mail and the way to the site, and changes nothing",
    backup: "writes everything that the database holds to one file: npm run backup [-- FILE]",
    restore: "fills an empty database from such a file and compares both: npm run restore -- FILE",
    build: "builds the pages without starting anything",
    placeholders: "lists every name, address and claim to replace or prove before going live",
    demo: "fills the inbox of this machine with 300 invented contacts",
    help: "this list",
  },
  "To change it": {
    dev: "shows changes as they are saved",
    test: "all tests, as CI runs them; npm test -- FILE[:LINE] runs one",
    "test:long": "what takes too long for npm test: half an hour",
    format: "formats the code, and mends what the linter can",
    screenshots: "pictures of every page and state, in screenshots/",
    "write-hosted-templates": "writes the mail templates of a hosted project after a change of the mails' texts",
  },
  "To see whether it holds": {
    chaos: "kills server, PostgreSQL and mail server while contacts come in",
    restarts: "restarts PostgreSQL under load and counts the requests that fail",
    "disk-full": "fills PostgreSQL's disk while contacts come in",
    "two-servers": "kills each of two servers behind nginx in turn, under load",
    attack: "attacks a server of its own with bad, slow, forged and racing requests",
    flood: "sends contacts while one network floods the site",
    "slow-clients": "sends contacts during a slowloris attack",
    soak: "looks for memory, files and connections that grow in ten minutes of traffic",
    bench: "how fast pages, contacts, mails, reads, start and login are, beside what is underneath",
    "bench:page": "how close each page is to the fastest display of its HTML and CSS (Lighthouse)",
    "bench:inbox": "how fast the inbox is among a million contacts",
    "bench:inbox-browser": "the same in Chromium",
    "bench:backup": "whether a backup under load has every contact of its moment, and how long it takes",
    "bench:guessing": "how many of 10,000 guesses at a password are checked",
    "bench:lockout": "whether strangers can keep an owner from logging in",
    "bench:known": "whether the time of an answer tells who has an account",
  },
};

for (const [title, commands] of Object.entries(groups)) {
  console.log(`\n${title}`);
  for (const [name, purpose] of Object.entries(commands)) {
    const command = name === "start" || name === "test" ? `npm ${name}` : `npm run ${name}`;
    console.log(`  ${command.padEnd(30)}  ${purpose}`);
  }
}
console.log("\nOn Windows: npm run start:windows, npm run dev:windows, npm run test:windows.");
console.log("Settings: README.md#settings. What to do when something breaks: docs/operating.md.\n");
