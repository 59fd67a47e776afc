import type { FormEvent } from "react";
import { contactWords } from "#content/contact";
import { Button } from "../../components/button";
import { ChoiceGroup } from "../../components/choice-group";
import { ErrorBoundary } from "../../components/error-boundary";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import styles from "./contact-form.module.css";
import { Countdown } from "./countdown";
import { PreparedMail } from "./prepared-mail";
import { mailOf } from "./send";
import { isTextField, updateDraft, useContactForm } from "./use-contact-form";

/** The contact form. Until hydration it posts to `/contact` as plain HTML (docs/specification.md#contact-form). */
export function ContactForm() {
  return (
    <ErrorBoundary>
      <Form />
    </ErrorBoundary>
  );
}

function Form() {
  const { data: privacy } = contactWords;
  const { ref, outcome, sending, form } = useContactForm();
  const errorOf = (name: string) => (outcome.field === name && !sending ? outcome.message : undefined);

  return (
    <form
      ref={ref}
      className={styles.form}
      action="/contact#contact-notice"
      method="post"
      onInput={({ currentTarget }: FormEvent<HTMLFormElement>) => updateDraft(currentTarget)}
      {...form}
    >
      <div className={styles.fields}>
        <Field label={contactWords.name} name="name" autoComplete="name" error={errorOf("name")} required />
        <Field
          label={contactWords.company}
          name="company"
          autoComplete="organization"
          error={errorOf("company")}
          required
        />
        <Field
          label={contactWords.email}
          name="email"
          type="email"
          autoComplete="email"
          error={errorOf("email")}
          required
        />
      </div>
      <ChoiceGroup
        legend={contactWords.interest}
        name="interest"
        choices={contactWords.interests}
        errorId={outcome.field === "interest" ? "contact-notice" : undefined}
      />
      <div>
        <div className={styles.outcome} data-outcome>
          <div className={styles.answer} data-answer>
            <Notice tone={outcome.tone} id="contact-notice">
              {sending || isTextField(outcome.field) ? "" : outcome.message}
            </Notice>
            <Countdown id="contact-wait" until={sending ? undefined : outcome.nextSend} />
          </div>
          <PreparedMail copiedText={() => (ref.current ? mailOf(ref.current).text : "")} />
        </div>
        <div className={styles.actions}>
          <Button type="submit" disabled={sending} aria-describedby={outcome.nextSend ? "contact-wait" : undefined}>
            {sending ? contactWords.sending : contactWords.send}
          </Button>
          <p className="caption">
            {privacy.start}
            <a href={privacy.link.href}>{privacy.link.label}</a>
            {privacy.end}
          </p>
        </div>
      </div>
    </form>
  );
}
