import { inboxWords, workWords } from "#content/inbox";
import { lazyContent, Popover, useClosePopover } from "../../../components/popover";
import styles from "./more-menu.module.css";

const ExportContacts = lazyContent(async () => (await import("../on-demand")).ExportContacts);

/** What is rarely needed: the download, and the list of the keys. */
export function MoreMenu({ openShortcuts }: { openShortcuts: () => void }) {
  return (
    <Popover button={<span className={styles.dots} />} aria-label={inboxWords.more} label={inboxWords.more}>
      <div className={styles.items}>
        <ExportContacts />
        <ShortcutsItem open={openShortcuts} />
      </div>
    </Popover>
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
