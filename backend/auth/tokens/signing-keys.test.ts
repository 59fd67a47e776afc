import { decodeProtectedHeader } from "jose";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { DatabaseAwayError } from "#backend/database/errors";
import { inTransaction } from "#backend/database/transaction";
import { createDatabase, createUser } from "#tests/support/database";
import { loadSigningKeys } from "#tests/support/signing-keys";
import type { Session } from "../sessions/session-store.ts";
import type { User } from "../users.ts";
import { BadToken, readAccessToken, signAccessToken } from "./access-token.ts";
import { addSigningKey, SigningKeys } from "./signing-keys.ts";

const siteUrl = "https://site.example";
const database = await createDatabase();
const { owner } = database;
const { id, email } = await createUser(database);
afterAll(() => database.drop());
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
const kidsOf = ({ published }: SigningKeys) => published.keys.map(({ kid }) => kid);

test("a server accepts tokens of a key that another server made after its last look, and of the old key", async () => {
  const [one, other] = await Promise.all([loadSigningKeys(owner), loadSigningKeys(owner)]);
  const old = await sign(one);
  const kid = await rotate();
  const rotated = await loadSigningKeys(owner);
  const token = await sign(rotated);
  expect([decodeProtectedHeader(token).kid, kidsOf(one)[0]]).toEqual([kid, decodeProtectedHeader(old).kid]);

  for (const keys of [one, other, rotated])
    for (const each of [token, old]) expect(await read(each, keys)).toMatchObject({ sub: id });
  expect(kidsOf(one)).toEqual(kidsOf(rotated));
  expect(kidsOf(one).slice(0, 2)).toEqual([kid, decodeProtectedHeader(old).kid]);
});

test("a flood of unknown key ids shares its reads of the keys, and known ids cause none", async () => {
  const keys = await loadSigningKeys(owner);
  const queries = vi.spyOn(owner, "query");
  for (let wave = 1; wave <= 3; wave++) {
    const found = await Promise.all(Array.from({ length: 100 }, (_, n) => keys.find(`unknown ${wave} ${n}`)));
    expect(found).toEqual(found.map(() => undefined));
  }
  expect(queries).toHaveBeenCalledTimes(3);
  expect(await keys.find(kidsOf(keys)[0] ?? "")).toBeDefined();
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

test("before the keys are loaded, a token is answered as if the database were away, without a look into it", async () => {
  const queries = vi.spyOn(owner, "query");
  await expect(new SigningKeys(owner).find("any")).rejects.toBeInstanceOf(DatabaseAwayError);
  expect(queries).not.toHaveBeenCalled();
});

test("a server that could not read the keys for a minute reads them before it signs", async () => {
  const keys = await loadSigningKeys(owner);
  const kid = await rotate();
  const now = Date.now();
  expect(decodeProtectedHeader(await sign(keys)).kid).not.toBe(kid);
  vi.spyOn(Date, "now").mockReturnValue(now + 61_000);
  expect(decodeProtectedHeader(await sign(keys)).kid).toBe(kid);
});

test("an old key leaves the set and the database when its last token has expired, and not before", async () => {
  await owner.query("delete from auth.signing_keys");
  const keys = await loadSigningKeys(owner);
  const [old] = kidsOf(keys);
  const kid = await rotate();
  const age = (seconds: number) =>
    owner.query("update auth.signing_keys set created_at = created_at - make_interval(secs => $1)", [seconds]);
  await age(61 * 60);
  await keys.find("unknown");
  expect(kidsOf(keys)).toEqual([kid, old]);
  await age(60);
  await keys.find("unknown");
  expect(kidsOf(keys)).toEqual([kid]);
  expect((await owner.query("select kid from auth.signing_keys")).rows).toEqual([{ kid }]);
  await age(60 * 60 * 24 * 365);
  await keys.find("unknown");
  expect(kidsOf(keys)).toEqual([kid]);
});
