import { startTransition, useActionState, useRef } from "react";
import { linkWords } from "#content/auth";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import styles from "./auth-screen.module.css";
import { followLink } from "./next-step";
import type { StepProps } from "./step-types";

/** Uses the link up only when the button is pressed: mail scanners open every link and run the scripts of its page. */
export function LinkStep({ step: { link }, redirecting, go }: StepProps<"link">) {
  const text = linkWords[link.about];
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, follow, following] = useActionState(async () => {
    const result = await followLink(link);
    if ("error" in result) return result.error;
    go(result.next);
    return "";
  }, "");
  const busy = following || redirecting;
  const showBusy = useDelayedPending(busy);
  useFocusOn(notice, busy ? "" : error);

  return (
    <>
      <p className={styles.lead}>{text.text}</p>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {busy ? "" : error}
      </Notice>
      <Button aria-disabled={busy} onClick={() => !busy && startTransition(follow)}>
        {showBusy ? linkWords.busy : text.button}
      </Button>
    </>
  );
}
