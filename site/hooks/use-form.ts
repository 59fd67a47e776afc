import { type FormEvent, startTransition, useActionState, useRef } from "react";
import { useDelayedPending } from "./use-delayed-pending";
import { useFocusOn } from "./use-focus-on";

/**
 * A form that a script sends: `send` gets what was typed, and resolves with the outcome, whose message may be empty. While
 * the form is busy, nothing is sent again and no message is shown. Then the focus moves to the message, in `notice`.
 */
export function useForm<Outcome extends string | { message: string }>(
  initial: Outcome,
  send: (answers: FormData, form: HTMLFormElement) => Promise<Outcome>,
  { redirecting = false } = {},
) {
  const notice = useRef<HTMLParagraphElement>(null);
  const [outcome, act, sending] = useActionState<Outcome, () => Promise<Outcome>>(
    (_, work) => work(),
    initial as Awaited<Outcome>,
  );
  const busy = sending || redirecting;
  const message = busy ? "" : typeof outcome === "string" ? outcome : outcome.message;
  useFocusOn(notice, message);
  const showBusy = useDelayedPending(busy);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = new FormData(form);
    if (!busy) startTransition(() => act(() => send(answers, form)));
  }
  return { outcome, message, notice, busy, showBusy, onSubmit };
}
