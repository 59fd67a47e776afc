import { existsSync, readFileSync } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

/** The rows of the table in docs/protocol.md#calls-of-the-client. */
const rows = read("docs/protocol.md")
  .split(/^(?=###? )/m)
  .filter((section) => section.startsWith("## Calls of the client\n"))
  .flatMap((section) => section.split("\n"))
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => {
    const [, calls = "", , tests = ""] = line.split("|").map((cell) => cell.trim());
    return { calls: calls.split(", "), tests: tests === "–" ? [] : tests.split(", ") };
  });

/** The functions of the client's objects that are no part of its inside. */
function callsOf(prefix: string, client: object, inside: readonly string[] = []): string[] {
  const names = new Set<string>();
  for (let each = client; each && each !== Object.prototype; each = Object.getPrototypeOf(each))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === "function" && !/^_|^(constructor|fetch|then)$/.test(name)) names.add(name);
  return [...names].filter((name) => !inside.includes(name)).map((name) => prefix + name);
}

test("every call of the installed client has a row in docs/protocol.md, and each row is a call", () => {
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
  expect(rows.flatMap(({ calls }) => calls).sort()).toEqual([...new Set(offered)].sort());
});

test("each row names tests that make its calls", () => {
  const missing = rows.flatMap(({ calls, tests }) => {
    const files = tests.map((name) => `tests/conformance/${name}.test.ts`);
    const unknown = files.filter((file) => !existsSync(new URL(file, root)));
    if (unknown.length > 0) return unknown;
    const text = files.map(read).join("\n");
    const isMade = (call: string) => text.includes(`.${call.slice(call.lastIndexOf(".") + 1)}(`);
    return files.length > 0 ? calls.filter((call) => !isMade(call)) : [];
  });
  expect(missing).toEqual([]);
});
