import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { requestIds } from "./request-id.ts";

const request = (remoteAddress: string | undefined, id?: string | string[]) =>
  ({ headers: { "x-request-id": id }, socket: { remoteAddress } }) as unknown as IncomingMessage;

test("a proxy that TRUST_PROXY names passes its id on, in a safe form; no other sender does", () => {
  const idOf = requestIds(["loopback", "10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);
  const id = "8c2d1f0e-proxy_id";
  for (const trusted of ["127.0.0.1", "::1", "::ffff:10.1.2.3", "2001:db8::7", "192.0.2.1"])
    expect([trusted, idOf(request(trusted, id))]).toEqual([trusted, id]);
  for (const stranger of ["203.0.113.9", "fe80::1%eth0", "2001:db9::1", "192.0.2.2", "", undefined])
    expect(idOf(request(stranger, id))).toMatch(/^[0-9a-f]{16}$/);
  for (const unsafe of ["short", "x".repeat(65), "ada@example.com", "a b c d e f", 'quote"quote"', "", ["12345678"]])
    expect(idOf(request("127.0.0.1", unsafe))).toMatch(/^[0-9a-f]{16}$/);
  expect(requestIds([])(request("127.0.0.1", id))).not.toBe(id);
});

test("no two requests have one id", () => {
  const idOf = requestIds([]);
  expect(new Set(Array.from({ length: 2000 }, () => idOf(request("127.0.0.1")))).size).toBe(2000);
});
