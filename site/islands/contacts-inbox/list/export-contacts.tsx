import { useEffect, useRef, useState } from "react";
import { exportWords } from "#content/inbox-export";
import { Button } from "../../../components/button";
import { saveFile } from "../../save-file";
import { useTeam } from "../data/team";
import { type InboxView, toFilter } from "../find/inbox-view";
import { useInboxView } from "../find/use-inbox-view";
import { type ExportOptions, filename, writeContacts } from "./contacts-csv";
import styles from "./more-menu.module.css";

interface Progress {
  read: number;
  total: number | undefined;
}

/** What is said after a download. */
interface Outcome {
  text: string;
  failed?: true;
}

const silence: Outcome = { text: "" };

/** Downloads all contacts of the view, not only those that are loaded (docs/specification.md#download-of-contacts). */
export function ExportContacts() {
  const { view } = useInboxView();
  const { addressOf } = useTeam();
  const [progress, setProgress] = useState<Progress>();
  const [outcome, setOutcome] = useState(silence);
  const running = useRef<AbortController>(undefined);
  const download = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function run() {
    const abort = new AbortController();
    running.current = abort;
    setOutcome(silence);
    setProgress({ read: 0, total: undefined });
    const result = await saveContacts(view, {
      addressOf,
      signal: abort.signal,
      onProgress: (read, total) => setProgress({ read, total }),
    });
    if (!abort.signal.aborted) end(result);
  }

  function end(result: Outcome) {
    setProgress(undefined);
    setOutcome(result);
    // The button to cancel goes away, so its focus moves to the one that stays.
    if (document.activeElement === cancelButton.current) download.current?.focus();
  }

  function cancel() {
    running.current?.abort();
    end({ text: exportWords.cancelled });
  }

  return (
    <>
      {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the download. */}
      <button ref={download} type="button" aria-disabled={progress !== undefined} onClick={() => !progress && run()}>
        {exportWords.download}
      </button>
      <div className={styles.export}>
        <p role="status" data-failed={outcome.failed}>
          {outcome.text}
        </p>
        {progress && (
          <>
            <progress
              aria-label={exportWords.progress}
              {...(progress.total && { value: progress.read, max: Math.max(progress.read, progress.total) })}
            />
            <span>{exportWords.progressOf(progress.read, progress.total)}</span>
            <Button ref={cancelButton} variant="plain" onClick={cancel}>
              {exportWords.cancel}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

async function saveContacts(view: InboxView, options: ExportOptions): Promise<Outcome> {
  try {
    const result = await writeContacts(toFilter(view), options);
    if (!result) return silence;
    if ("ok" in result) return { text: result.message ?? exportWords.failed, failed: true };
    const { file, contacts, before, after } = result;
    saveFile(file, filename(view));
    const isSame = before === contacts && after === contacts;
    const change = isSame ? "" : exportWords.changed(before, after);
    return { text: `${exportWords.saved(contacts)} ${change}` };
  } catch {
    return { text: exportWords.failed, failed: true };
  }
}
