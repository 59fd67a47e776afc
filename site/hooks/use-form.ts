import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";

/** The outcome of a form, as its notice shows it. */
export interface FormOutcome {
  tone: "success" | "error";
  /** Empty before the first outcome. */
  message: string;
}

/**
 * A form that a script sends: `send` gets what was typed, and resolves with the outcome; a text alone is an error or
 * empty. While the form is busy, also while the page is being left (`redirecting`), nothing is sent again and no message
 * is shown. Then the focus moves to the message. The results `notice` and `form` are for a `Notice` and a `<form>`.
 */
export function useForm<Outcome extends string | FormOutcome>(
  initial: Outcome,
  send: (answers: FormData, form: HTMLFormElement) => Promise<Outcome>,
  { redirecting = false } = {},
) {
  const [outcome, act, sending] = useActionState<Outcome, () => Promise<Outcome>>(
    (_, work) => work(),
    initial as Awaited<Outcome>,
  );
  const busy = sending || redirecting;
  const { tone, message }: FormOutcome =
    typeof outcome === "string" ? { tone: "error", message: outcome } : (outcome as FormOutcome);
  const notice = useNotice({ tone, message: busy ? "" : message });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = new FormData(form);
    if (!busy) startTransition(() => act(() => send(answers, form)));
  }
  return { outcome, busy, notice, form: { onSubmit, "aria-busy": busy } };
}

/**
 * Returns what a `Notice` needs. The focus moves to the message when it appears; the same text counts as a new message if
 * it was empty in between or if `version` has changed.
 */
export function useNotice({ tone, message }: FormOutcome, version?: unknown) {
  const ref = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version runs the effect again
  useEffect(() => {
    if (message) ref.current?.focus();
  }, [message, version]);
  return { ref, tone, tabIndex: -1, children: message };
}
