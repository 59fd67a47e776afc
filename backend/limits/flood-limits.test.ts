import { expect, test } from "vitest";
import { floodLimits } from "./flood-limits.ts";

const refused = { status: 429 };

test("a network sends 100 contacts at once, and then one per second", () => {
  const { takeContacts, pass } = limitsWithClock();
  for (const contacts of [1, 20, 79]) takeContacts("203.0.113.7", contacts);
  expect(() => takeContacts("203.0.113.7", 3)).toThrow(
    expect.objectContaining({ ...refused, headers: { "retry-after": "3" } }),
  );
  takeContacts("198.51.100.8", 100);

  pass(3);
  takeContacts("203.0.113.7", 3);
  expect(() => takeContacts("203.0.113.7", 1)).toThrow(expect.objectContaining(refused));
});

test("a refused request does not lengthen the wait", () => {
  const { takeContacts, pass } = limitsWithClock();
  takeContacts("203.0.113.7", 100);
  for (let times = 0; times < 50; times++)
    expect(() => takeContacts("203.0.113.7", 1)).toThrow(expect.objectContaining(refused));
  pass(1);
  takeContacts("203.0.113.7", 1);
});

test("a request for more contacts than the limit empties the bucket and leaves the refusal to the database", () => {
  const { takeContacts } = limitsWithClock();
  takeContacts("203.0.113.7", 850);
  expect(() => takeContacts("203.0.113.7", 1)).toThrow(expect.objectContaining(refused));
});

test("all addresses of an IPv4 /24 or an IPv6 /48 have one limit", () => {
  const { takeContacts } = limitsWithClock();
  for (const [one, other] of [
    ["203.0.113.7", "203.0.113.200"],
    ["2001:db8:1:1::1", "2001:db8:1:2::1"],
  ] as const) {
    takeContacts(one, 100);
    expect(() => takeContacts(other, 1)).toThrow(expect.objectContaining(refused));
  }
  takeContacts("2001:db8:2::1", 100);
});

test.each(["127.0.0.1", "::1", "10.0.0.1", "fd00::1", "unknown", ""])(
  "visitors with the local or unreadable address %j share one limit",
  (address) => {
    const { takeContacts } = limitsWithClock();
    for (let visitor = 0; visitor < 100; visitor++) takeContacts(visitor % 2 === 0 ? address : "127.0.0.2", 1);
    expect(() => takeContacts(address, 1)).toThrow(expect.objectContaining(refused));
    takeContacts("203.0.113.7", 100);
  },
);

test("with more networks than the memory holds, the network that was quiet for the longest time is forgotten", () => {
  const { takeContacts } = limitsWithClock();
  for (const address of ["203.0.113.7", "198.51.100.8"]) takeContacts(address, 99);
  takeContacts("203.0.113.7", 1);
  for (let number = 0; number < 39_999; number++) takeContacts(`11.${number >> 8}.${number & 255}.1`, 1);
  expect(() => takeContacts("203.0.113.7", 1)).toThrow(expect.objectContaining(refused));
  takeContacts("198.51.100.8", 100);
});

test.each([
  ["203.0.113.7", "203.0.113.7", 4, 50],
  ["2001:db8::1", "2001:db8:0:ffff::1", 4, 50],
  ["127.0.0.1", "10.0.0.1", 16, 200],
])(
  "%s and %s together use %i connections, and %i more of their requests wait",
  async (one, other, running, waiting) => {
    const { begin, started } = openRequests();
    const requests = Array.from({ length: running + waiting }, (_, number) => begin(number % 2 === 0 ? one : other));
    expect(await started()).toBe(running);
    await expect(begin(one).answer).rejects.toMatchObject({ ...refused, headers: { "retry-after": "1" } });

    const elsewhere = begin("198.51.100.1");
    expect(await started()).toBe(running + 1);
    elsewhere.end();
    await elsewhere.answer;

    for (const { end, answer } of requests) {
      end();
      await answer;
    }
    expect(await started()).toBe(running + waiting + 1);
  },
);

test("a request whose client has left, or that has waited for 5 seconds, uses no connection", async () => {
  const { begin, started, pass } = openRequests();
  const first = Array.from({ length: 4 }, () => begin("203.0.113.7"));
  const [left, late] = [begin("203.0.113.7", { destroyed: true }), begin("203.0.113.7")];
  expect(await started()).toBe(4);
  pass(6);
  for (const { end } of first) end();
  for (const { answer } of [left, late]) await expect(answer).rejects.toMatchObject(refused);
  expect(await started()).toBe(4);
});

test("work that fails gives its connection back", async () => {
  const { withConnection } = floodLimits();
  const fail = () => withConnection(requestFrom("203.0.113.7"), () => Promise.reject(new Error("failed")));
  for (let times = 0; times < 10; times++) await expect(fail()).rejects.toThrow("failed");
  expect(await withConnection(requestFrom("203.0.113.7"), async () => "done")).toBe("done");
});

function limitsWithClock() {
  let milliseconds = 1_000_000;
  const { take, withConnection } = floodLimits(() => milliseconds);
  return {
    withConnection,
    takeContacts: (ip: string, tokens: number) => take("inserted rows", { ip }, { tokens }),
    pass(seconds: number) {
      milliseconds += seconds * 1000;
    },
  };
}

/** Each request uses its connection until `end` is called. */
function openRequests() {
  const { withConnection, pass } = limitsWithClock();
  let started = 0;
  return {
    pass,
    /** How many requests use or have used a connection. */
    async started() {
      await new Promise(setImmediate);
      return started;
    },
    begin(ip: string, socket = {}) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answer = withConnection(requestFrom(ip, socket), () => {
        started += 1;
        return promise;
      });
      answer.catch(() => {});
      return { answer, end: resolve };
    },
  };
}

function requestFrom(ip: string, socket = {}) {
  return { ip, raw: { socket } } as Parameters<ReturnType<typeof floodLimits>["withConnection"]>[0];
}
