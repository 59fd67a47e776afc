import { type FormEvent, useEffect, useRef, useState } from "react";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { correctionWords as text } from "#content/inbox-on-demand";
import { type Contact, lengthMax } from "#validation/contact";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { Field } from "../../../components/field";
import fieldStyles from "../../../components/field.module.css";
import { Notice } from "../../../components/notice";
import { correctContact } from "../../../supabase/change-contacts";
import type { StoredContact } from "../../../supabase/read-contacts";
import { InterestOptions } from "../data/contact-text";
import { useSaveContact } from "../data/query-cache";
import styles from "./contact-details.module.css";

const textFields = ["name", "company", "email"] as const;
const names = [...textFields, "interest"] as const;

interface CorrectionFormProps {
  contact: StoredContact;
  onClose: (message?: string) => void;
}

/** Corrects what a visitor has typed. Only changed fields are sent, so that corrections by two administrators add up. */
export function CorrectionForm({ contact, onClose }: CorrectionFormProps) {
  // The contact when the form was opened: what another administrator corrects meanwhile is no change made here.
  const [opened] = useState(contact);
  const form = useRef<HTMLFormElement>(null);
  const { mutate, data, isPending } = useSaveContact(
    contact.id,
    (fields: Partial<Contact>) => correctContact(contact.id, fields),
    // Only while the form is there: it may have been left, and something else opened.
    () => form.current && onClose(text.saved),
  );
  const message = isPending || !data ? "" : data.ok ? (data.value ? "" : text.gone) : (data.message ?? text.failed);
  const wrong = message && data && !data.ok ? textFields.find((name) => name === data.details) : undefined;

  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
  }, [wrong]);

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const typed = new FormData(event.currentTarget);
    const changed = names.filter((name) => typed.get(name) !== opened[name]);
    if (changed.length === 0) onClose();
    else mutate(Object.fromEntries(changed.map((name) => [name, String(typed.get(name))])));
  }

  const field = (name: (typeof textFields)[number]) => ({
    id: `correct-${name}`,
    name,
    label: contactWords[name],
    defaultValue: opened[name],
    maxLength: lengthMax[name],
    autoComplete: "off",
    ...(wrong === name && { error: message }),
  });
  return (
    <form ref={form} className={styles.form} method="post" onSubmit={save} noValidate>
      <Field {...field("name")} />
      <Field {...field("company")} />
      <Field {...field("email")} type="email" spellCheck={false} autoCapitalize="none" />
      <div className={fieldStyles.field}>
        <label htmlFor="field-interest" className="strong">
          {inboxWords.columns.interest}
        </label>
        <select id="field-interest" name="interest" defaultValue={opened.interest}>
          <InterestOptions />
        </select>
      </div>
      <Notice tone="error">{wrong ? "" : message}</Notice>
      <div className="row">
        <BusyButton type="submit" small busy={isPending} busyLabel={text.saving}>
          {text.save}
        </BusyButton>
        <Button variant="tool" onClick={() => onClose()}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}
