import { useEffect, useLayoutEffect, useRef } from "react";
import { useForm } from "../../hooks/use-form";
import { type ContactOutcome, fieldsIn, keepDraft, mailOf, readDraft, send } from "./send";

/** The tone is "error", because without JavaScript the server may have written an error into the notice. */
const initial: ContactOutcome = { tone: "error", message: "" };

/** Sends the contact, and does in the document what the answer changes beside the message: React leaves it alone. */
export function useContactForm() {
  const ref = useRef<HTMLFormElement>(null);
  const buttonTop = useRef(0);
  const {
    outcome,
    busy: sending,
    form,
  } = useForm(initial, (answers, element) => {
    buttonTop.current = topOfButton(element);
    if (outcome === initial) clearServerMessage(element);
    showPreparedMail(element, false);
    return send(answers);
  });

  useEffect(() => {
    if (ref.current) restoreDraft(ref.current);
  }, []);
  // Before the browser paints, so that the button is never seen elsewhere.
  useLayoutEffect(() => {
    if (!ref.current || buttonTop.current === 0) return;
    if (!sending) fillInOutcome(ref.current, outcome);
    const top = topOfButton(ref.current);
    // The answer is above the button. What its height changes is scrolled, so that the button stays under the finger.
    window.scrollBy({ top: top - buttonTop.current, behavior: "instant" });
    buttonTop.current = top;
    if (!sending) bringIntoView(ref.current, outcome);
  }, [sending, outcome]);
  return { ref, outcome, sending, form };
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
export function updateDraft(form: HTMLFormElement) {
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
export function isTextField(field: string | undefined): boolean {
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
