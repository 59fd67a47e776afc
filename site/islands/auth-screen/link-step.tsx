import { startTransition, useActionState, useRef } from "react";
import { linkWords } from "#content/auth";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import type { StepProps } from "./auth-screen";
import styles from "./auth-screen.module.css";
import { followLink } from "./mail-actions";

/** One button, and nothing before it is pressed: programs that look into mails open every link, with scripts too. */
export function LinkStep({ step: { link }, leaving, go }: StepProps<"link">) {
  const words = linkWords[link.about];
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, follow, following] = useActionState(async () => {
    const outcome = await followLink(link);
    if ("error" in outcome) return outcome.error;
    go(outcome.next);
    return "";
  }, "");
  const busy = following || leaving;
  const late = useDelayedPending(busy);
  useFocusOn(notice, busy ? "" : error);

  return (
    <>
      <p className={styles.lead}>{words.text}</p>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {busy ? "" : error}
      </Notice>
      <Button aria-disabled={busy} onClick={() => !busy && startTransition(follow)}>
        {late ? linkWords.busy : words.button}
      </Button>
    </>
  );
}
