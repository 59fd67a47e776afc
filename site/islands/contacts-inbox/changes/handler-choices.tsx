import { useEffect, useRef } from "react";
import menu from "../../../components/menu.module.css";
import { useClosePopover } from "../../../components/popover";
import type { StoredContact } from "../../../supabase/read-contacts";
import { useTeam } from "../data/team";
import { useInboxCommands } from "./inbox-commands";

/** The people to whom these contacts can be given, with a mark at the one who has them all. */
export function HandlerChoices({ contacts }: { contacts: readonly StoredContact[] }) {
  const { me, others, addressOf, labelOf } = useTeam();
  const people = [me, ...others.map(({ user_id }) => user_id), null];
  const hasAll = (id: string | null) =>
    contacts.every(({ handled_by }) => (addressOf(handled_by) ? handled_by : null) === id);
  const { assign } = useInboxCommands().actions;
  const close = useClosePopover();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const popover = list.current?.closest("[popover]");
    const focusFirst = () => popover?.matches(":popover-open") && list.current?.querySelector("button")?.focus();
    // It may have been opened before this was loaded.
    focusFirst();
    popover?.addEventListener("toggle", focusFirst);
    return () => popover?.removeEventListener("toggle", focusFirst);
  }, []);

  return (
    <ul ref={list} className={menu.items}>
      {people.map((id) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={hasAll(id)}
            onClick={() => {
              close();
              assign(contacts, id);
            }}
          >
            {labelOf(id)}
          </button>
        </li>
      ))}
    </ul>
  );
}
