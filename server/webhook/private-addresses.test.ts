import type { LookupAddress } from "node:dns";
import { describe, expect, test } from "vitest";
import { publicOnly } from "./private-addresses.ts";

describe("the webhook's DNS lookup", () => {
  /** Makes a lookup over a fake DNS: the nth query gets the nth of `answers`. `queries` counts the queries. */
  function resolver(...answers: string[][]) {
    const queries = { times: 0 };
    const lookup = publicOnly((_name, _options, done) => {
      const addresses = answers[queries.times++] ?? [];
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    });
    const resolve = (all: boolean) =>
      new Promise<string | LookupAddress[]>((found, fail) =>
        lookup("hooks.example", { all }, (error, address) => (error ? fail(error) : found(address))),
      );
    return { queries, resolve };
  }

  test("returns the checked IP addresses from a single DNS query", async () => {
    const { queries, resolve } = resolver(["93.184.216.34", "2606:4700::1111"], ["127.0.0.1"]);
    expect(await resolve(true)).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(queries.times).toBe(1);
    await expect(resolve(true)).rejects.toThrow("127.0.0.1");
  });

  test.each([true, false])(
    "refuses a host name if any of its IP addresses is private (option `all`: %s)",
    async (all) => {
      const { resolve } = resolver(["93.184.216.34", "::ffff:169.254.169.254"]);
      await expect(resolve(all)).rejects.toThrow(
        "leads to the private address ::ffff:169.254.169.254, which the webhook may call only while WEBHOOK_ALLOW_PRIVATE is on",
      );
    },
  );
});
