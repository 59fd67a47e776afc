import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { contactWords } from "#content/contact";
import { Button } from "../../components/button";
import { ChoiceGroup } from "../../components/choice-group";
import { ErrorBoundary } from "../../components/error-boundary";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { loadClient } from "../../supabase/client";
import styles from "./contact-form.module.css";
import { type Outcome, send } from "./send";

/** As an error without words: the server may have written an error here before React wakes. */
const untouched: Outcome = { tone: "error", message: "" };

/** The contact form of specification section 4: plain HTML that posts to `/contact` until React wakes. */
export function ContactForm() {
  return (
    <ErrorBoundary>
      <Form />
    </ErrorBoundary>
  );
}

function Form() {
  const { data } = contactWords;
  const form = useRef<HTMLFormElement>(null);
  const [outcome, submit, sending] = useActionState((_: Outcome, answers: FormData) => send(answers), untouched);

  // A real address in `action`: a function there would be rendered as a script address and clear the fields.
  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!sending) startTransition(() => submit(answers));
  }

  useEffect(() => {
    if (form.current) settle(form.current, outcome);
  }, [outcome]);

  return (
    <form
      ref={form}
      className={styles.form}
      action="/contact#contact-notice"
      method="post"
      onSubmit={handle}
      onFocus={warmUp}
      aria-busy={sending}
    >
      <Field label={contactWords.name} name="name" autoComplete="name" required />
      <Field label={contactWords.company} name="company" autoComplete="organization" required />
      <Field label={contactWords.email} name="email" type="email" autoComplete="email" required />
      <ChoiceGroup
        legend={contactWords.interest}
        name="interest"
        choices={contactWords.interests}
        errorId={outcome.field === "interest" ? "contact-notice" : undefined}
      />
      <div className={styles.end}>
        <Button type="submit" disabled={sending}>
          {sending ? contactWords.sending : contactWords.send}
        </Button>
        <p className={styles.privacy}>
          {data.start}
          <a href={data.link.href}>{data.link.label}</a>
          {data.end}
        </p>
      </div>
      <Notice tone={outcome.tone} id="contact-notice">
        {sending ? "" : outcome.message}
      </Notice>
    </form>
  );
}

/** The client is heavier than the page, so it comes when the visitor first touches the form; a failure shows on sending. */
function warmUp() {
  loadClient().catch(() => {});
}

/** Empties the form after a success, shows what came of it, and leads the keyboard to what comes next. */
function settle(form: HTMLFormElement, { tone, message, field }: Outcome) {
  if (message === "") return;
  if (tone === "success") empty(form);

  const next = field && form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  // A button that was disabled while it had the focus has lost it.
  if (next || document.activeElement === document.body) (next ?? form.querySelector("button"))?.focus();
  // The words stand below the button, which may be the last thing that fits the window.
  if (!next) form.querySelector("[data-notice]")?.scrollIntoView({ block: "nearest" });
}

/** Not `reset()` alone: it returns to what the server had filled in after a refusal without JavaScript. */
function empty(form: HTMLFormElement) {
  for (const input of form.querySelectorAll("input")) {
    if (input.type === "radio") input.defaultChecked = false;
    else input.defaultValue = "";
  }
  form.reset();
}
