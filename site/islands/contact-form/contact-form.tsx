import { type FormEvent, startTransition, useActionState, useEffect, useLayoutEffect, useRef } from "react";
import { contactWords } from "#content/contact";
import { Button } from "../../components/button";
import { ChoiceGroup } from "../../components/choice-group";
import { ErrorBoundary } from "../../components/error-boundary";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { loadClient } from "../../supabase/client";
import styles from "./contact-form.module.css";
import { Countdown } from "./countdown";
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
  const buttonTop = useRef(0);
  const [outcome, submit, sending] = useActionState((_: ContactOutcome, data: FormData) => send(data), initial);

  // The form calls this by `onSubmit`. If `action` were a function, React would render it as a `javascript:` address,
  // which sends nothing before hydration, and would also clear the fields after a failure.
  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (sending) return;
    buttonTop.current = topOfButton(event.currentTarget);
    if (outcome === initial) clearServerMessage(event.currentTarget);
    showPreparedMail(event.currentTarget, false);
    startTransition(() => submit(data));
  }

  useEffect(() => {
    if (form.current) restoreDraft(form.current);
  }, []);
  // Before the browser paints, so that the button is never seen elsewhere.
  useLayoutEffect(() => {
    if (!form.current || buttonTop.current === 0) return;
    if (!sending) fillInOutcome(form.current, outcome);
    const top = topOfButton(form.current);
    // The answer is above the button. What its height changes is scrolled, so that the button stays under the finger.
    window.scrollBy({ top: top - buttonTop.current, behavior: "instant" });
    buttonTop.current = top;
    if (!sending) bringIntoView(form.current, outcome);
  }, [sending, outcome]);

  const errorOf = (name: string) => (outcome.field === name && !sending ? outcome.message : undefined);

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
          <PreparedMail copiedText={() => (form.current ? mailOf(form.current).text : "")} />
        </div>
        <div className={styles.actions}>
          <Button type="submit" disabled={sending} aria-describedby={outcome.nextSend ? "contact-wait" : undefined}>
            {sending ? contactWords.sending : contactWords.send}
          </Button>
          <p className={styles.privacy}>
            {privacy.start}
            <a href={privacy.link.href}>{privacy.link.label}</a>
            {privacy.end}
          </p>
        </div>
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

/** The message about a text field is at this field, because the button may be a window away from it. */
function isTextField(field: string | undefined): boolean {
  return field !== undefined && field !== "interest";
}

/** Without hydration the server may have written an answer. React does not know it and would not replace it. */
function clearServerMessage(form: HTMLFormElement) {
  for (const text of form.querySelectorAll("[data-answer] > *")) text.textContent = "";
}

function buttonOf(form: HTMLFormElement): HTMLElement | null {
  return form.querySelector("[type=submit]");
}

/** In the page, not in the window, so that scrolling does not change it. */
function topOfButton(form: HTMLFormElement): number {
  return (buttonOf(form)?.getBoundingClientRect().top ?? 0) + window.scrollY;
}

function fillInOutcome(form: HTMLFormElement, { tone, offersMail = false }: ContactOutcome) {
  if (tone === "success") clear(form);
  showPreparedMail(form, offersMail);
}

/**
 * Moves the focus to the field at fault, and shows the whole answer. In a window too small for all of it, what is
 * scrolled to last is seen: the message.
 */
function bringIntoView(form: HTMLFormElement, { field }: ContactOutcome) {
  const next = field === undefined ? null : form.querySelector<HTMLInputElement>(`[name="${field}"]`);
  // The button is disabled during the request and so loses the focus. Here it gets the focus back.
  if (next || document.activeElement === document.body) (next ?? buttonOf(form))?.focus({ preventScroll: true });
  const [outcome, answer] = isTextField(field) ? [] : form.querySelectorAll("[data-outcome], [data-answer]");
  for (const part of [outcome, next, answer]) part?.scrollIntoView({ block: "nearest", behavior: "instant" });
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
