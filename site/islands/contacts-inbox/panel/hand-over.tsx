import { useMutation } from "@tanstack/react-query";
import { handOverWords } from "#content/hand-over";
import { inboxWords } from "#content/inbox";
import { BusyButton } from "../../../components/busy-button";
import { listContactsFrom } from "../../../supabase/change-contacts";
import { saveFile } from "../../save-file";
import { localDate } from "../find/inbox-view";
import styles from "./contact-panel.module.css";

/** Saves everything that the contact form has stored about an address (docs/specification.md#everything-about-an-address). */
export function HandOverButton({ email }: { email: string }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => saveEverything(email) });
  const outcome = error ? handOverWords.failed : data;

  return (
    <section className={styles.handOver}>
      <h3>{handOverWords.title}</h3>
      <p>{handOverWords.lead}</p>
      <BusyButton variant="tool" busy={isPending} busyLabel={handOverWords.saving} onClick={() => mutate()}>
        {handOverWords.save}
      </BusyButton>
      <p role="status">{outcome}</p>
    </section>
  );
}

/** Returns what to say. */
async function saveEverything(email: string): Promise<string> {
  const listed = await listContactsFrom(email);
  if (!listed.ok) return listed.message ?? handOverWords.failed;
  const contacts = listed.value;
  const now = new Date().toISOString();
  const { about, elsewhere, filename, saved } = handOverWords;
  const content = { about: about(email), not_in_this_file: elsewhere(email), written_at: now, contacts };
  // The file is JSON that a person can read too.
  const file = new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: "application/json" });
  // An address may have characters that no file name can have.
  saveFile(file, filename(email.replace(/[^\w.@+-]/g, "_"), localDate(now)));
  return `${saved(inboxWords.total(contacts.length))} ${elsewhere(email)}`;
}
