import { globSync, readFileSync } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

/** Calls without a row: variants of others, and what the client does without a request of its own. */
const excepted = `
  auth.passkey.* auth.signInWithPasskey auth.registerPasskey auth.oauth.* auth.admin.*
  auth.initialize auth.dispose auth.startAutoRefresh auth.stopAutoRefresh auth.isThrowOnErrorEnabled
  abortSignal retry throwOnError returns overrideTypes
  channel getChannels removeChannel removeAllChannels`
  .trim()
  .split(/\s+/);

/** The functions of the client's objects that are no part of its inside. */
function callsOf(prefix: string, client: object, inside: readonly string[] = []): string[] {
  const names = new Set<string>();
  for (let each = client; each && each !== Object.prototype; each = Object.getPrototypeOf(each))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === "function" && !/^_|^(constructor|fetch|then)$/.test(name)) names.add(name);
  return [...names].filter((name) => !inside.includes(name)).map((name) => prefix + name);
}

test("every call of the installed client is made in tests/conformance or excepted here", () => {
  const client = createClient("http://client.example", "key", { auth: { persistSession: false } });
  const { auth } = client;
  const builder = client.from("contacts");
  const privateInTypes = [
    "logger",
    "signInWithEthereum",
    "signInWithSolana",
    "linkIdentityOAuth",
    "linkIdentityIdToken",
    "fetchJwk",
  ];
  const offered = [
    ...callsOf("auth.", auth, privateInTypes),
    ...callsOf("auth.mfa.", auth.mfa),
    ...callsOf("auth.mfa.recoveryCodes.", auth.mfa.recoveryCodes),
    ...callsOf("auth.passkey.", auth.passkey),
    ...callsOf("auth.oauth.", auth.oauth),
    ...callsOf("auth.admin.", auth.admin),
    ...callsOf("", client, ["functionsFetch"]),
    ...callsOf("", builder, ["cloneRequestState"]),
    ...callsOf("", builder.select(), ["processResponse"]),
  ];
  const tests = globSync("tests/conformance/*.test.ts", { cwd: root }).map(read).join("\n");
  const isMade = (call: string) => tests.includes(`.${call.slice(call.lastIndexOf(".") + 1)}(`);
  const isExcepted = (call: string) => excepted.includes(call) || excepted.includes(call.replace(/\w+$/, "*"));
  expect(offered.filter((call) => !isExcepted(call) && !isMade(call))).toEqual([]);
  expect(excepted.filter((call) => !call.endsWith("*") && !offered.includes(call))).toEqual([]);
});
