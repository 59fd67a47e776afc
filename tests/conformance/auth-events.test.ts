import { expect, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";

// The log of events in the database, which the operator reads (`npm run admin -- events`).

const server = await startAuth({ trustProxy: "loopback" });
const { owner } = server.database;

const events = async (name: string) => (await server.events()).filter(({ action }) => action === name);

const guess = (email: string, ip: string) =>
  server.call("/auth/v1/token?grant_type=password", {
    body: { email, password: "wrong" },
    headers: { "x-forwarded-for": ip },
  });

test("a login, a change and a logout are logged with account and internet address, and no secret", async () => {
  const { client, email } = await server.member();
  await client.auth.updateUser({ data: { theme: "dark" } });
  await client.auth.signOut();
  for (const action of ["login", "user_modified", "logout"])
    expect(await events(action)).toMatchObject([{ account: email, ip: "127.0.0.1", times: null }]);
  const { rows } = await owner.query("select t::text as row from auth.audit_log_entries t");
  expect(JSON.stringify(rows)).not.toMatch(/correct horse|argon2/);
});

test("equal failures of an end site within an hour share a row, which counts them", async () => {
  const { email } = await server.member();
  server.clock.aheadSeconds += 60 * 60 - ((server.now().getTime() / 1000) % (60 * 60));
  for (const ip of ["192.0.2.1", "192.0.2.1", "2001:db8:1:1::1", "2001:db8:1:2::1"]) await guess(email, ip);
  await guess("nobody@example.com", "192.0.2.1");
  const action = "login_failed";
  expect(await events(action)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ account: email, ip: "192.0.2.1", times: 2 }),
      expect.objectContaining({ account: email, ip: "2001:db8:1:2::1", times: 2 }),
      expect.objectContaining({ account: "", ip: "192.0.2.1", times: null }),
    ]),
  );
  server.clock.aheadSeconds += 60 * 60;
  await guess(email, "192.0.2.1");
  expect(await events(action)).toHaveLength(4);
});
