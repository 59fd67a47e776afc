import { useMutation } from "@tanstack/react-query";
import { inboxWords, workWords } from "#content/inbox";
import { personalDataFileWords as words } from "#content/personal-data-file";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { Dialog } from "../../../components/dialog";
import dialogStyles from "../../../components/dialog.module.css";
import { listContactsFrom } from "../../../supabase/read-contacts";
import { saveFile } from "../../save-file";
import { localDate } from "../find/inbox-view";
import styles from "./contact-panel.module.css";

interface PersonalDataFileProps {
  email: string;
  onClose: () => void;
}

/** Saves everything that the contact form has stored about an address (docs/specification.md#everything-about-an-address). */
export function PersonalDataFile({ email, onClose }: PersonalDataFileProps) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => saveEverything(email) });
  const outcome = error ? words.failed : data;

  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.lead}</p>
      <p className={`small soft ${styles.outcome}`} role="status">
        {outcome}
      </p>
      <form method="dialog" className={`row ${dialogStyles.buttons}`}>
        <Button type="submit" variant="tool">
          {workWords.panel.close}
        </Button>
        <BusyButton small busy={isPending} busyLabel={words.saving} onClick={() => mutate()}>
          {words.save}
        </BusyButton>
      </form>
    </Dialog>
  );
}

/** Returns what to say. */
async function saveEverything(email: string): Promise<string> {
  const listed = await listContactsFrom(email);
  if (!listed.ok) return listed.message ?? words.failed;
  // Which administrators have worked on it is their data.
  const contacts = listed.value.map(
    ({ handled_by: _handler, read_by: _reader, note_by: _writer, ...contact }) => contact,
  );
  const now = new Date().toISOString();
  const { about, elsewhere, filename, saved } = words;
  const content = { about: about(email), not_in_this_file: elsewhere(email), written_at: now, contacts };
  // The file is JSON that a person can read too.
  const file = new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: "application/json" });
  // An address may have characters that no file name can have.
  saveFile(file, filename(email.replace(/[^\w.@+-]/g, "_"), localDate(now)));
  return `${saved(inboxWords.total(contacts.length))} ${elsewhere(email)}`;
}
