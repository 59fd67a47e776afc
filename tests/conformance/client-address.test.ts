import { expect, test } from "vitest";
import { type AuthServer, startAuth } from "#tests/support/auth-server";
import { createDatabase } from "#tests/support/database";
import { rowsOf } from "#tests/support/text-table";

const database = await createDatabase();
await database.owner.query(
  "create function public.headers() returns json language sql stable set search_path = '' as $$ select current_setting('request.headers')::json $$",
);

/** The server with this TRUST_PROXY. */
const serverBehind = (trustProxy: string) => startAuth({ trustProxy, database });

/** The headers that SQL functions read of a request with these headers. */
async function sqlHeaders({ call }: AuthServer, headers: Record<string, string>) {
  return (await call("/rest/v1/rpc/headers", { body: {}, headers })).json();
}

/** The client's address in the audit log, and the one that SQL functions read. */
async function clientAddresses(server: AuthServer, headers: Record<string, string>) {
  await server.call("/auth/v1/token?grant_type=password", { body: { email: "a@example.com", password: "x" }, headers });
  const { rows } = await database.owner.query("delete from auth.audit_log_entries returning ip_address");
  return [...rows.map((row) => row.ip_address), (await sqlHeaders(server, headers))["x-forwarded-for"]];
}

/** The value of TRUST_PROXY, a header of the client, and the address that the server takes for the client's. */
test.each(
  rowsOf(`
  none                      x-forwarded-for: 203.0.113.9                             127.0.0.1
  none                      forwarded: for=203.0.113.9                               127.0.0.1
  10.0.0.0/8                x-forwarded-for: 203.0.113.9                             127.0.0.1
  loopback                  x-forwarded-for: 203.0.113.9                             203.0.113.9
  loopback                  x-real-ip: 203.0.113.9                                   127.0.0.1
  127.0.0.1                 x-forwarded-for: 198.51.100.1, 203.0.113.9               203.0.113.9
  127.0.0.1, 10.0.0.0/8     x-forwarded-for: 198.51.100.1, 203.0.113.9, 10.1.2.3     203.0.113.9`),
)("behind the proxies %s, a client that sends %s has the address %s", async (trusted = "", header = "", address) => {
  const [name = "", value = ""] = header.split(": ");
  const trustProxy = trusted === "none" ? "" : trusted;
  expect(await clientAddresses(await serverBehind(trustProxy), { [name]: value })).toEqual([address, address]);
});

test("SQL reads a forwarded address without port, brackets and zone, and no address that is unreadable", async () => {
  const server = await serverBehind("loopback");
  for (const [forwarded, address] of [
    ["203.0.113.9:51234", "203.0.113.9"],
    ["[2001:DB8::1]:51234", "2001:db8::1"],
    ["2001:db8:0:0:0:0:0:1", "2001:db8::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["fe80::1%eth0", "fe80::1"],
    ["unknown", undefined],
    ["203.0.113", undefined],
    ["_hidden, 203.0.113.9:x", undefined],
  ] as const)
    expect((await sqlHeaders(server, { "x-forwarded-for": forwarded }))["x-forwarded-for"], forwarded).toBe(address);
});

test("a client cannot write the header in which a hosted project names the client", async () => {
  const headers = await sqlHeaders(await serverBehind(""), { "CF-Connecting-IP": "203.0.113.9" });
  expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1" });
  expect(headers).not.toHaveProperty("cf-connecting-ip");
});
