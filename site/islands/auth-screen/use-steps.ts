import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { signOut } from "../../supabase/sign-out";
import { findStoredStep, type Next, type Step, start, storeStep } from "./step-types";

/** The step that is shown, and the two ways to another one: `go` after a request, `change` after a click. */
export function useSteps(screen: RefObject<HTMLDivElement | null>) {
  const [step, setStep] = useState(start);
  const [destination, setDestination] = useState("");
  const shown = useRef<Step>(start);

  useEffect(() => {
    const stored = findStoredStep();
    if (stored) setStep(stored);
  }, []);
  useLayoutEffect(() => {
    const isUpdate = shown.current !== step && isSame(shown.current, step);
    shown.current = step;
    if (isUpdate) return;
    // When the page has just opened, the focus stays where it is. A step with a message moves the focus to the message.
    if (step === start || messageOf(step)) return;
    const field = screen.current?.querySelector<HTMLInputElement>("input:not([readonly], [type=radio])");
    field?.focus();
    // The text is selected, as after the Tab key, so that typing replaces the address from the step before.
    field?.select();
  }, [screen, step]);
  useEffect(() => {
    // `replace` takes this screen out of the history, so that Back does not lead here again.
    if (destination) window.location.replace(destination);
  }, [destination]);

  /**
   * Shows the result of a request, in the same transition that ends the request's pending state. A person who has moved
   * to another step meanwhile stays there, unless the result redirects to another page.
   */
  function go(next: Next) {
    if (!isSame(shown.current, step) && next.at !== "end") return;
    storeStep(next);
    startTransition(() => (next.at === "end" ? setDestination(next.address) : setStep(next)));
  }

  /**
   * Changes the step and keeps the typed address. This is not a React transition: React may delay a transition, but the
   * next key that the person presses must reach the new step.
   */
  function change(to: Step) {
    const typed = screen.current?.querySelector<HTMLInputElement>("input[name=email]")?.value;
    const next = "email" in to && typed !== undefined ? { ...to, email: typed } : to;
    // To log in as someone else ends the session that waits for its second factor.
    if (step.at === "second-factor" && to.at === "form") signOut("local");
    storeStep(next);
    setStep(next);
  }
  return { step, redirecting: destination !== "", go, change };
}

/** The step of the second factor stays the same when the server has confirmed what it shows. */
function isSame(one: Step, other: Step): boolean {
  if (one.at === "second-factor" && other.at === "second-factor") return one.by === other.by;
  return one === other;
}

function messageOf(step: Step): string {
  if ("error" in step) return step.error;
  if (step.at === "outcome") return step.message;
  return "notice" in step ? (step.notice ?? "") : "";
}
