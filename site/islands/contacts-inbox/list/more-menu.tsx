import { inboxWords, workWords } from "#content/inbox";
import menu from "../../../components/menu.module.css";
import { lazyContent, Popover, useClosePopover } from "../../../components/popover";
import { defaultView } from "../find/inbox-view";
import { addressOf, followInPage } from "../find/use-inbox-view";
import styles from "./more-menu.module.css";

const ExportContacts = lazyContent(async () => (await import("../on-demand")).ExportContacts);

/** What is rarely needed: the download, the deleted contacts, and the list of the keys. */
export function MoreMenu({ openShortcuts }: { openShortcuts: () => void }) {
  return (
    <Popover button={<span className={styles.dots} />} aria-label={inboxWords.more} label={inboxWords.more}>
      <div className={menu.items}>
        <ExportContacts />
        <DeletedItem />
        <ShortcutsItem open={openShortcuts} />
      </div>
    </Popover>
  );
}

function DeletedItem() {
  const close = useClosePopover();
  const view = { ...defaultView, state: "deleted" } as const;
  return (
    <a
      href={addressOf(view)}
      onClick={(event) => {
        close();
        followInPage(event, view);
      }}
    >
      {inboxWords.states.deleted}
    </a>
  );
}

function ShortcutsItem({ open }: { open: () => void }) {
  const close = useClosePopover();
  function choose() {
    // The focus goes back to the button of the menu, so that it is there again after the dialog.
    close();
    open();
  }
  return (
    <button type="button" className={styles.shortcuts} onClick={choose}>
      {workWords.shortcuts.open}
    </button>
  );
}
