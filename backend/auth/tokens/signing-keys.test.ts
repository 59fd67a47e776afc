import { decodeProtectedHeader } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { DatabaseAwayError } from "#backend/database/errors";
import { inTransaction } from "#backend/database/transaction";
import { createDatabase, createUser } from "#tests/support/database";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { silentLog } from "#tests/support/silent-log";
import type { Session } from "../sessions/session-store.ts";
import type { User } from "../users.ts";
import { BadToken, readAccessToken, signAccessToken } from "./access-token.ts";
import { addSigningKey, removeOtherSigningKeys, retiredKey, SigningKeys } from "./signing-keys.ts";

const siteUrl = "https://site.example";
const database = await createDatabase();
const { owner } = database;
const { id, email } = await createUser(database);
afterEach(() => vi.restoreAllMocks());

const rotate = () => inTransaction(owner, addSigningKey);
const read = (token: string, keys: SigningKeys) => readAccessToken(token, keys, siteUrl, new Date());
const sign = (keys: SigningKeys) =>
  signAccessToken(
    keys,
    siteUrl,
    { id, email, role: "authenticated", raw_app_meta_data: {}, raw_user_meta_data: {} } as unknown as User,
    { id: crypto.randomUUID(), aal: "aal1", amr: [] } as unknown as Session,
    new Date(),
  );
const kidsOf = async (keys: SigningKeys) => (await keys.published()).keys.map(({ kid }) => kid);

test("a server accepts tokens of a key that another server made after its last look, and of the old key", async () => {
  const [one, other] = await Promise.all([loadSigningKeys(owner), loadSigningKeys(owner)]);
  const old = await sign(one);
  const kid = await rotate();
  const rotated = await loadSigningKeys(owner);
  const token = await sign(rotated);
  expect([decodeProtectedHeader(token).kid, (await kidsOf(one))[0]]).toEqual([kid, decodeProtectedHeader(old).kid]);

  for (const keys of [one, other, rotated])
    for (const each of [token, old]) expect(await read(each, keys)).toMatchObject({ sub: id });
  expect(await kidsOf(one)).toEqual(await kidsOf(rotated));
  expect((await kidsOf(one)).slice(0, 2)).toEqual([kid, decodeProtectedHeader(old).kid]);
});

test("a flood of unknown key ids shares its reads of the keys, and known ids cause none", async () => {
  const keys = await loadSigningKeys(owner);
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const queries = vi.spyOn(owner, "query");
  for (let wave = 1; wave <= 3; wave++) {
    const found = await Promise.all(Array.from({ length: 100 }, (_, n) => keys.find(`unknown ${wave} ${n}`)));
    expect(found).toEqual(found.map(() => undefined));
  }
  expect(queries).toHaveBeenCalledTimes(3);
  expect(await keys.find((await kidsOf(keys))[0] ?? "")).toBeDefined();
  expect(queries).toHaveBeenCalledTimes(3);
});

test("if the keys cannot be read, a token with an unknown key is not called wrong, and the next attempt works", async () => {
  const keys = await loadSigningKeys(owner);
  await rotate();
  const token = await sign(await loadSigningKeys(owner));
  vi.spyOn(owner, "query").mockImplementationOnce(() => Promise.reject(new Error("The disk is full.")));
  const error = await read(token, keys).catch((error: unknown) => error);
  expect(error).not.toBeInstanceOf(BadToken);
  expect(error).toMatchObject({ message: "The disk is full." });
  expect(await read(token, keys)).toMatchObject({ sub: id });
});

test("a slow read of the keys does not replace those of a read that began after it", async () => {
  const keys = await loadSigningKeys(owner);
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const query = owner.query.bind(owner) as (...args: unknown[]) => Promise<unknown>;
  const answered = vi.fn();
  vi.spyOn(owner, "query").mockImplementationOnce(async (...args: unknown[]) => {
    const result = await query(...args);
    answered();
    await mayAnswer;
    return result;
  });
  const slow = keys.load();
  await expect.poll(() => answered.mock.calls).toHaveLength(1);
  const kid = await rotate();
  expect(await keys.find(kid)).toBeDefined();
  answer();
  await slow;
  expect((await kidsOf(keys))[0]).toBe(kid);
});

test("before the keys are loaded, a token is answered as if the database were away, without a look into it", async () => {
  const queries = vi.spyOn(owner, "query");
  await expect(new SigningKeys(owner, silentLog).find("any")).rejects.toBeInstanceOf(DatabaseAwayError);
  expect(queries).not.toHaveBeenCalled();
});

test("a server reads keys that are older than two seconds again before it signs or verifies, once for all requests", async () => {
  const info = vi.fn();
  const keys = await loadSigningKeys(owner, { ...silentLog, info });
  const kid = await rotate();
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now);
  expect(decodeProtectedHeader(await sign(keys)).kid).not.toBe(kid);
  const old = (await kidsOf(keys))[0] ?? "";
  await inTransaction(owner, (db) => removeOtherSigningKeys(db, kid));
  expect(await keys.find(old)).toBeDefined();
  vi.spyOn(performance, "now").mockReturnValue(now + 2001);
  const queries = vi.spyOn(owner, "query");
  const tokens = await Promise.all(Array.from({ length: 20 }, () => sign(keys)));
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(new Set([kid]));
  expect(queries).toHaveBeenCalledTimes(1);
  expect(await keys.find(old)).toBeUndefined();
  expect(info.mock.calls).toEqual([[{ kid }, "New tokens are signed with another key."]]);
});

test.each([3, -3])(
  "a clock that has gone on by %s seconds more than the process makes it read the keys",
  async (seconds) => {
    const keys = await loadSigningKeys(owner);
    const kid = await rotate();
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + seconds * 1000);
    expect(decodeProtectedHeader(await sign(keys)).kid).toBe(kid);
  },
);

test("an old key leaves the set and is to be removed when its last token has expired, and not before", async () => {
  await owner.query("delete from auth.signing_keys");
  const keys = await loadSigningKeys(owner);
  const [old] = await kidsOf(keys);
  const kid = await rotate();
  const age = async (seconds: number) => {
    await owner.query("update auth.signing_keys set created_at = created_at - make_interval(secs => $1)", [seconds]);
    await keys.load();
    const { rows } = await owner.query(`select kid from auth.signing_keys where ${retiredKey}`);
    return { used: await kidsOf(keys), expired: rows.map((row) => row.kid) };
  };
  expect(await age(61 * 60)).toEqual({ used: [kid, old], expired: [] });
  expect(await age(60)).toEqual({ used: [kid], expired: [old] });
  expect(await age(60 * 60 * 24 * 365)).toEqual({ used: [kid], expired: [old] });
});
