import { useState } from "react";
import { handOverWords } from "#content/hand-over";
import { inboxWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { listContactsFrom } from "../../../supabase/change-contacts";
import type { StoredContact } from "../../../supabase/read-contacts";
import { saveFile } from "../../save-file";
import { localDate } from "../find/view";
import styles from "./hand-over.module.css";

/** Everything about an address, as JSON that a person can read too (docs/specification.md#everything-about-an-address). */
export function handOverText(email: string, contacts: readonly StoredContact[], now: Date): string {
  const { about, elsewhere } = handOverWords;
  const file = { about: about(email), not_in_this_file: elsewhere(email), written_at: now.toISOString(), contacts };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** An address may have characters that no file name can have. */
export function handOverName(email: string, now: Date): string {
  return handOverWords.filename(email.replace(/[^\w.@+-]/g, "_"), localDate(now.toISOString()));
}

/** Saves everything that the contact form has stored about an address (docs/specification.md#everything-about-an-address). */
export function HandOverButton({ email }: { email: string }) {
  const [saving, setSaving] = useState(false);
  const [outcome, setOutcome] = useState("");
  const showBusy = useDelayedPending(saving);

  async function save() {
    if (saving) return;
    setSaving(true);
    setOutcome("");
    setOutcome(await saveEverything(email).catch(() => handOverWords.failed));
    setSaving(false);
  }

  return (
    <section className={styles.handOver}>
      <h3>{handOverWords.title}</h3>
      <p>{handOverWords.lead}</p>
      {/* The button has `aria-disabled`, because `disabled` would take the focus from it while the file is made. */}
      <Button variant="tool" aria-disabled={saving} onClick={save}>
        {showBusy ? handOverWords.saving : handOverWords.save}
      </Button>
      <p role="status">{outcome}</p>
    </section>
  );
}

/** Returns what to say. */
async function saveEverything(email: string): Promise<string> {
  const contacts = await listContactsFrom(email);
  if (!contacts.ok) return contacts.message ?? handOverWords.failed;
  const now = new Date();
  const file = new Blob([handOverText(email, contacts.value, now)], { type: "application/json" });
  saveFile(file, handOverName(email, now));
  return `${handOverWords.saved(inboxWords.total(contacts.value.length))} ${handOverWords.elsewhere(email)}`;
}
