import { useMutation } from "@tanstack/react-query";
import { inboxWords } from "#content/inbox";
import { personalDataFileWords } from "#content/personal-data-file";
import { BusyButton } from "../../../components/busy-button";
import { listContactsFrom } from "../../../supabase/read-contacts";
import { saveFile } from "../../save-file";
import { localDate } from "../find/inbox-view";
import styles from "./contact-panel.module.css";

/** Saves everything that the contact form has stored about an address (docs/specification.md#everything-about-an-address). */
export function PersonalDataFileButton({ email }: { email: string }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => saveEverything(email) });
  const outcome = error ? personalDataFileWords.failed : data;

  return (
    <section className={styles.personalData}>
      <h3>{personalDataFileWords.title}</h3>
      <p>{personalDataFileWords.lead}</p>
      <BusyButton variant="tool" busy={isPending} busyLabel={personalDataFileWords.saving} onClick={() => mutate()}>
        {personalDataFileWords.save}
      </BusyButton>
      <p role="status">{outcome}</p>
    </section>
  );
}

/** Returns what to say. */
async function saveEverything(email: string): Promise<string> {
  const listed = await listContactsFrom(email);
  if (!listed.ok) return listed.message ?? personalDataFileWords.failed;
  // Which administrator has it is that person's data.
  const contacts = listed.value.map(({ handled_by: _, ...contact }) => contact);
  const now = new Date().toISOString();
  const { about, elsewhere, filename, saved } = personalDataFileWords;
  const content = { about: about(email), not_in_this_file: elsewhere(email), written_at: now, contacts };
  // The file is JSON that a person can read too.
  const file = new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: "application/json" });
  // An address may have characters that no file name can have.
  saveFile(file, filename(email.replace(/[^\w.@+-]/g, "_"), localDate(now)));
  return `${saved(inboxWords.total(contacts.length))} ${elsewhere(email)}`;
}
