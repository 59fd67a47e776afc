import { shortcutWords as text } from "#content/inbox-on-demand";
import { Button } from "../../components/button";
import checkbox from "../../components/checkbox.module.css";
import { Dialog } from "../../components/dialog";
import type { Shortcuts } from "./keyboard-commands";
import styles from "./keyboard-help.module.css";

/** Lists the keys, with a switch for those that are single characters (WCAG 2.1.4). */
export function KeyboardHelp({ shortcuts, onClose }: { shortcuts: Shortcuts; onClose: () => void }) {
  return (
    <Dialog title={text.title} onClose={onClose}>
      <label className={`strong target ${styles.switch}`}>
        <input
          type="checkbox"
          className={checkbox.checkbox}
          checked={shortcuts.enabled}
          onChange={({ target }) => shortcuts.choose(target.checked)}
        />
        {text.switch}
      </label>
      <p className="small soft">{text.text}</p>
      <dl className={styles.keys}>
        {Object.entries(text.keys).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <Button type="submit" variant="tool">
          {text.close}
        </Button>
      </form>
    </Dialog>
  );
}
