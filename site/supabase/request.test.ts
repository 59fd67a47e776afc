import { afterEach, expect, test, vi } from "vitest";
import type { BackendClient } from "./backend-client";
import { storageKey } from "./client";
import { renewSession } from "./request";

afterEach(() => void vi.unstubAllGlobals());

const stored = (token: string) => JSON.stringify({ access_token: token, refresh_token: token });

test.each([
  ["ends in this browser too", false],
  ["does not end the one that another tab has begun meanwhile", true],
])("a session that the server has ended %s", async (_, isReplaced) => {
  const storage = new Map<string, string>();
  const localStorage = { getItem: (key: string) => storage.get(key) ?? null };
  vi.stubGlobal("window", { localStorage, location: { origin: "https://site.example" } });
  storage.set(storageKey() ?? "", stored("ended"));
  const signOut = vi.fn();
  const refreshSession = async () => {
    if (isReplaced) storage.set(storageKey() ?? "", stored("begun"));
    return {
      data: {},
      error: Object.assign(new Error("Invalid Refresh Token"), { name: "AuthApiError", status: 400 }),
    };
  };
  const client = { auth: { refreshSession, signOut } } as unknown as BackendClient;

  expect(await renewSession(client)).toEqual({ ok: true, value: null });
  expect(signOut).toHaveBeenCalledTimes(isReplaced ? 0 : 1);
});
