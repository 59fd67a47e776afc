import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { contactWords } from "#content/contact";
import { Button } from "../../components/button";
import { ChoiceGroup } from "../../components/choice-group";
import { ErrorBoundary } from "../../components/error-boundary";
import { Field } from "../../components/field";
import { type FormOutcome, Notice } from "../../components/notice";
import { loadClient } from "../../supabase/client";
import styles from "./contact-form.module.css";
import { send } from "./send";

/** The tone is "error", because without JavaScript the server may have written an error into the notice. */
const initial: FormOutcome = { tone: "error", message: "" };

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
  const form = useRef<HTMLFormElement>(null);
  const [outcome, submit, sending] = useActionState((_: FormOutcome, data: FormData) => send(data), initial);

  // The form calls this by `onSubmit`. If `action` were a function, React would render it as a `javascript:` address,
  // which sends nothing before hydration, and would also clear the fields after a failure.
  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!sending) startTransition(() => submit(data));
  }

  useEffect(() => {
    if (form.current) showOutcome(form.current, outcome);
  }, [outcome]);

  return (
    <form
      ref={form}
      className={styles.form}
      action="/contact#contact-notice"
      method="post"
      onSubmit={handle}
      onFocus={preloadClient}
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
      <div className={styles.actions}>
        <Button type="submit" disabled={sending}>
          {sending ? contactWords.sending : contactWords.send}
        </Button>
        <p className={styles.privacy}>
          {privacy.start}
          <a href={privacy.link.href}>{privacy.link.label}</a>
          {privacy.end}
        </p>
      </div>
      <Notice tone={outcome.tone} id="contact-notice">
        {sending ? "" : outcome.message}
      </Notice>
    </form>
  );
}

/**
 * Loads the client library only when the form gets the focus, because the library is larger than the page. If the
 * download fails, it is repeated when the form is sent, and a second failure shows a message.
 */
function preloadClient() {
  loadClient().catch(() => {});
}

/** Clears the form after a success. If a field is at fault, moves the focus to it, else scrolls to the message. */
function showOutcome(form: HTMLFormElement, { tone, message, field }: FormOutcome) {
  if (message === "") return;
  if (tone === "success") clear(form);

  const next = field === undefined ? null : form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  // The button is disabled during the request and so loses the focus. Here it gets the focus back.
  if (next || document.activeElement === document.body) (next ?? form.querySelector("button"))?.focus();
  // The message is below the button and may be outside the window.
  if (!next) form.querySelector("[data-notice]")?.scrollIntoView({ block: "nearest" });
}

/**
 * Clears the default values too, because `reset()` restores them. They come from the server if it has refused a form
 * that was sent without JavaScript.
 */
function clear(form: HTMLFormElement) {
  for (const input of form.querySelectorAll("input")) {
    if (input.type === "radio") input.defaultChecked = false;
    else input.defaultValue = "";
  }
  form.reset();
}
