import { expect, test } from "vitest";
import { runDemo } from "#operations/commands/demo/run-demo";
import { checkDemo } from "#operations/doctor/people-checks";
import { startAuth } from "#tests/support/auth-server";
import { createEmptyDatabase, createUser, hostedSchema } from "#tests/support/database";
import { runCommand } from "#tests/support/run-command";

const server = await startAuth();

/** Runs `npm run demo` in this process. */
async function demo(environment: Record<string, string> = {}, args: string[] = []) {
  const call = { environment: { DATABASE_URL: server.database.url, ...environment } };
  const { code, ...printed } = await runCommand(runDemo, args, call);
  const out = printed.out + printed.err;
  const [, email = "", password = ""] = /Email +(\S+)\n +Password +(\S+)/.exec(out) ?? [];
  return { code, out, email, password };
}

const stored = async () => {
  const { rows } = await server.database.owner.query(
    `select count(*)::integer as contacts, count(*) filter (where state = 'spam')::integer as spam,
       (select count(*) from private.jobs)::integer as jobs from contacts`,
  );
  return rows[0];
};

test("`npm run demo` makes 300 contacts that no mail announces, and an admin who can log in; again replaces both", async () => {
  const first = await demo();
  expect(first.code).toBe(0);
  expect(await stored()).toEqual({ contacts: 300, spam: 30, jobs: 0 });
  const client = server.client();
  expect((await client.auth.signInWithPassword(first)).error).toBeNull();
  const { count } = await client.from("contacts").select("*", { count: "exact", head: true });
  expect(count).toBe(300);

  // What a developer types into the form stays. So does a demo contact that was corrected.
  await server.database.owner.query(`
    insert into contacts (name, email, interest) values ('Ada', 'ada@example.com', 'consulting');
    update contacts set email = 'real@company.com' where id = 'de300000-0000-4000-8000-000000000001'`);
  await server.mails();
  const second = await demo();
  expect(second.code).toBe(0);
  expect(await stored()).toEqual({ contacts: 301, spam: 30, jobs: 0 });
  expect((await server.client().auth.signInWithPassword(first)).error?.code).toBe("invalid_credentials");
  expect((await server.client().auth.signInWithPassword(second)).error).toBeNull();
});

test("`npm run demo -- --remove` leaves what is real, also once the site has gone live; the doctor tells of the demo", async () => {
  const { owner } = server.database;
  await createUser(server.database, { admin: true });
  await demo();
  await owner.query("insert into contacts (name, email, interest) values ('Eva', 'eva@company.com', 'consulting')");
  const real = "select name from contacts where id::text not like 'de300000-%' order by 1";
  const { rows } = await owner.query(real);
  const [found] = await checkDemo(owner);
  expect(found?.saw).toBe("The demo is in this database: 300 invented contacts, and the login admin@demo.example.");

  const { code, out } = await demo({ SITE_URL: "https://company.com" }, ["--remove"]);
  expect([code, out]).toEqual([0, "Removed 300 invented contacts and the login admin@demo.example."]);
  expect((await owner.query("select from auth.users where email = 'admin@demo.example'")).rowCount).toBe(0);
  expect(await stored()).toMatchObject({ contacts: rows.length });
  expect((await owner.query(real)).rows).toEqual(rows);
  expect(await checkDemo(owner)).toEqual([]);
  expect((await demo({}, ["--remove"])).out).toBe("There is no demo in this database.");
});

test("`npm run demo` refuses a database with a real contact and changes nothing", async () => {
  const { owner } = server.database;
  await owner.query("delete from contacts");
  await owner.query("insert into contacts (name, email, interest) values ('Ida', 'ida@example.company', 'consulting')");
  const { code, out } = await demo();
  expect([code, out]).toEqual([1, expect.stringMatching(/^This database holds real contacts, .*$/)]);
  expect(await stored()).toMatchObject({ contacts: 1 });
});

test("`npm run demo` refuses a site that is not of this machine, and a hosted project", async () => {
  const { code, out } = await demo({ SITE_URL: "https://company.com" });
  expect([code, out]).toEqual([1, expect.stringMatching(/^SITE_URL is https:\/\/company\.com, .*$/)]);

  const database = await createEmptyDatabase();
  await database.owner.query(hostedSchema);
  const hosted = await demo({ DATABASE_URL: database.url });
  expect([hosted.code, hosted.out]).toEqual([
    1,
    expect.stringMatching(/^These accounts belong to a hosted project.*$/),
  ]);
});
