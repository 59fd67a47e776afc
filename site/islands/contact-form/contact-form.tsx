import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { contactWords } from "#content/contact";
import { Button } from "../../components/button";
import { ChoiceGroup } from "../../components/choice-group";
import { ErrorBoundary } from "../../components/error-boundary";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { loadClient } from "../../supabase/client";
import styles from "./contact-form.module.css";
import { keepDraft, readDraft } from "./draft";
import { PreparedMail } from "./prepared-mail";
import { type ContactOutcome, fieldsIn, mailOf, send } from "./send";

/** The tone is "error", because without JavaScript the server may have written an error into the notice. */
const initial: ContactOutcome = { tone: "error", message: "" };

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
  const [outcome, submit, sending] = useActionState((_: ContactOutcome, data: FormData) => send(data), initial);

  // The form calls this by `onSubmit`. If `action` were a function, React would render it as a `javascript:` address,
  // which sends nothing before hydration, and would also clear the fields after a failure.
  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (sending) return;
    showPreparedMail(event.currentTarget, false);
    startTransition(() => submit(data));
  }

  useEffect(() => {
    if (form.current) restoreDraft(form.current);
  }, []);
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
      onInput={updateDraft}
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
      <div className={styles.outcome}>
        <Notice tone={outcome.tone} id="contact-notice">
          {sending ? "" : outcome.message}
        </Notice>
        <PreparedMail copiedText={() => (form.current ? mailOf(form.current).text : "")} />
      </div>
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

/** Types back what an earlier load of the page could not send. What is in the form already stays. */
function restoreDraft(form: HTMLFormElement) {
  const draft = readDraft() ?? {};
  for (const input of form.querySelectorAll("input")) {
    const kept = draft[input.name as keyof typeof draft];
    if (input.type !== "radio") input.value ||= kept ?? "";
    else if (!form.querySelector(":checked")) input.checked = input.value === kept;
  }
}

/** Once a contact could not be sent, the corrections that follow are kept as well, and the mail has them. */
function updateDraft({ currentTarget: form }: FormEvent<HTMLFormElement>) {
  if (!readDraft()) return;
  keepDraft(fieldsIn(new FormData(form)));
  fillInMail(form);
}

function showPreparedMail(form: HTMLFormElement, isOffered: boolean) {
  const mail = form.querySelector<HTMLElement>("[data-prepared-mail]");
  if (mail) mail.hidden = !isOffered;
  if (isOffered) fillInMail(form);
}

function fillInMail(form: HTMLFormElement) {
  form.querySelector<HTMLAnchorElement>("[data-prepared-mail] a")?.setAttribute("href", mailOf(form).href);
}

/** Clears the form after a success. If a field is at fault, moves the focus to it, else scrolls to the message. */
function showOutcome(form: HTMLFormElement, { tone, message, field, offersMail = false }: ContactOutcome) {
  if (message === "") return;
  if (tone === "success") clear(form);
  showPreparedMail(form, offersMail);

  const next = field === undefined ? null : form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  // The button is disabled during the request and so loses the focus. Here it gets the focus back.
  if (next || document.activeElement === document.body) (next ?? form.querySelector("button"))?.focus();
  // The message is below the button and may be outside the window.
  if (!next) form.querySelector("[data-notice]")?.parentElement?.scrollIntoView({ block: "nearest" });
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
