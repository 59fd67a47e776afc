import { queryOptions, useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import menu from "../../../components/menu.module.css";
import type { StoredContact } from "../../../supabase/read-contacts";
import { isFirstClick, labelOfState, nearestState, offeredStates } from "../changes/contact-actions";
import { useInboxCommands } from "../changes/inbox-commands";
import { mailAddress } from "../data/contact-text";
import styles from "./panel-actions.module.css";
import type { Reply } from "./reply-offer";

const { actions: labels, panel: text } = workWords;

/** The templates. Until they are there, and where they cannot be loaded, a reply has a subject only. */
const onDemand = queryOptions({
  queryKey: ["on-demand"],
  queryFn: () => import("../on-demand"),
  staleTime: Number.POSITIVE_INFINITY,
});

interface PanelActionsProps {
  contact: StoredContact;
  /** The button of the menu, which gets the focus back from what the menu has opened. */
  menuButton: RefObject<HTMLButtonElement | null>;
  onOpen: (part: "correction" | "data") => void;
}

/** What can be done with the open contact: to reply, to go on to the next state, and everything else in a menu. */
export function PanelActions({ contact, menuButton, onOpen }: PanelActionsProps) {
  const { actions } = useInboxCommands();
  const { data: parts } = useQuery(onDemand);
  const [reply, shortReply] = parts?.repliesTo(contact) ?? [];
  const [opened, setOpened] = useState<Reply>();
  const states = offeredStates([contact]);
  const beside = contact.state === "new" ? (["handled", "archived"] as const) : [nearestState(contact)];

  function closeOffer() {
    setOpened(undefined);
    menuButton.current?.focus();
  }

  return (
    <>
      <div role="status" aria-atomic="false" className={styles.offer}>
        {parts && opened && (
          <parts.ReplyOffer
            reply={opened}
            onHandled={contact.state === "new" ? () => actions.changeState([contact], "handled") : undefined}
            onClose={closeOffer}
          />
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the group is no part of a form, which a fieldset would need */}
      <div className={styles.actions} role="group" aria-label={text.actions}>
        <Button
          small
          href={reply?.href ?? mailAddress(contact.email, { subject: workWords.replySubject })}
          onClick={() => setOpened(reply)}
        >
          {text.reply}
        </Button>
        {beside.map((state) => (
          <Button
            key={state}
            variant="tool"
            onClick={(event) => isFirstClick(event) && actions.changeState([contact], state)}
          >
            {labelOfState(state, [contact])}
          </Button>
        ))}
        <Button ref={menuButton} variant="tool" popoverTarget="contact-menu">
          {text.more}
        </Button>
        {/* A click on any of its buttons closes the menu, and the focus returns to the button that has opened it. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it are what a keyboard presses */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are what is pressed */}
        <div
          id="contact-menu"
          popover="auto"
          className={`floating ${styles.menu} ${menu.items}`}
          onClick={({ currentTarget, target }) => target !== currentTarget && currentTarget.hidePopover()}
        >
          {states
            .filter((state) => !beside.some((one) => one === state))
            .map((state) => (
              <button key={state} type="button" onClick={() => actions.changeState([contact], state)}>
                {text.mark[state]}
              </button>
            ))}
          <button type="button" onClick={() => onOpen("correction")}>
            {workWords.correction.open}
          </button>
          {shortReply && (
            <a href={shortReply.href} onClick={() => setOpened(shortReply)}>
              {text.replyWith(shortReply.label)}
            </a>
          )}
          <button type="button" onClick={() => onOpen("data")}>
            {text.saveData}
          </button>
          {contact.state !== "deleted" && (
            <button type="button" data-danger onClick={() => actions.requestDeletion([contact])}>
              {labels.delete}
            </button>
          )}
        </div>
      </div>
    </>
  );
}
