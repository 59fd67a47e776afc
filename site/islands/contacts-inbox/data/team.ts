import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { workWords } from "#content/inbox";
import { unwrap } from "../../../supabase/load-error";
import { type Administrator, listAdministrators } from "../../../supabase/read-contacts";
import { useUserId } from "./require-admin";

const text = workWords.handler;

/** The administrators, in the order of their addresses. */
export const administratorsQuery = queryOptions({
  queryKey: ["administrators"],
  queryFn: async () => unwrap(await listAdministrators()),
  staleTime: 60_000,
});

export type Team = ReturnType<typeof toTeam>;

/** The administrators, among whom contacts are shared (docs/specification.md#who-handles-a-contact). */
export function useTeam(): Team {
  const me = useUserId();
  const { data } = useQuery(administratorsQuery);
  return useMemo(() => toTeam(data ?? [], me), [data, me]);
}

function toTeam(administrators: readonly Administrator[], me: string) {
  const others = administrators.filter(({ user_id }) => user_id !== me);
  /** The contacts of somebody who is no longer an administrator are nobody's. */
  const addressOf = (id: string | null) => administrators.find(({ user_id }) => user_id === id)?.email;
  /** "ada" for "ada@example.com", unless there are two of them. */
  const mailboxOf = (id: string | null) => {
    const [mailbox] = addressOf(id)?.split("@") ?? [];
    const isUnique = administrators.filter(({ email }) => email.startsWith(`${mailbox}@`)).length === 1;
    return isUnique ? mailbox : addressOf(id);
  };
  return {
    me,
    others,
    /** An administrator who is alone needs no names. */
    isShared: others.length > 0,
    addressOf,
    labelOf: (id: string | null) => (id === me ? text.me : (mailboxOf(id) ?? text.nobody)),
    /** For a sentence. */
    nameOf: (id: string | null) => (id === me ? text.inSentence.me : (mailboxOf(id) ?? text.inSentence.nobody)),
  };
}
