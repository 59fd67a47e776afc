import { queryOptions } from "@tanstack/react-query";
import { isAdmin } from "../../supabase/inbox";
import { listAudit, listOwnSessions } from "../../supabase/own-account";
import type { Result } from "../../supabase/request";
import { findUser } from "../../supabase/session";

/** The server's words for why something could not be read, where it had any. */
export class LoadError extends Error {
  readonly words: string | undefined;

  constructor(words: string | undefined) {
    super(words ?? "not read");
    this.words = words;
  }
}

/** A person decides whether to ask once more; offline is an answer too. What is no such answer is a bug. */
const asked = {
  retry: false,
  networkMode: "always",
  throwOnError: (error: Error) => !(error instanceof LoadError),
} as const;

/** Who is signed in, and whether they may read the log; null if nobody is. */
export const owner = queryOptions({
  ...asked,
  queryKey: ["owner"],
  queryFn: async () => {
    const user = await findUser();
    if (!user.ok) throw new LoadError(user.message);
    if (!user.value) return null;
    return { email: user.value.email, isAdmin: unwrap(await isAdmin(user.value.id)) };
  },
});

/** Null where nobody can tell. */
export const sessions = queryOptions({
  ...asked,
  queryKey: ["sessions"],
  queryFn: async () => unwrap(await listOwnSessions()) ?? null,
});

export const audit = queryOptions({
  ...asked,
  queryKey: ["audit"],
  queryFn: async () => unwrap(await listAudit()) ?? null,
});

function unwrap<Value>(reading: Result<Value>): Value {
  if (!reading.ok) throw new LoadError(reading.message);
  return reading.value;
}
