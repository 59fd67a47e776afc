import type { MouseEvent } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { lazyContent, Popover } from "../../../components/popover";
import styles from "./more-menu.module.css";

const ExportContacts = lazyContent(async () => (await import("../on-demand")).ExportContacts);

/** What is rarely needed: the download, and the list of the keys. */
export function MoreMenu({ openShortcuts }: { openShortcuts: () => void }) {
  function open({ currentTarget }: MouseEvent) {
    // The focus goes back to the button of the menu, so that it is there again after the dialog.
    currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    openShortcuts();
  }
  return (
    <Popover button={<span className={styles.dots} />} aria-label={inboxWords.more} label={inboxWords.more}>
      <div className={styles.items}>
        <ExportContacts />
        <button type="button" className={styles.shortcuts} onClick={open}>
          {workWords.shortcuts.open}
        </button>
      </div>
    </Popover>
  );
}
