import { useEffect, useReducer } from "react";
import { contactWords } from "#content/contact";

/**
 * Says when the next try can succeed, and counts down. A screen reader announces only the end: the button has this text
 * as its description, so the seconds are read when it gets the focus. Without JavaScript the server writes the text,
 * which React keeps, as in a `Notice`.
 */
export function Countdown({ id, until }: { id: string; until: number | undefined }) {
  const [, renderAgain] = useReducer((times: number) => times + 1, 0);
  const seconds = until && Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const isWaiting = Boolean(seconds);

  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(renderAgain, 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);

  return (
    <p id={id} role="timer" aria-live={isWaiting ? "off" : "polite"} data-wait suppressHydrationWarning>
      {seconds === undefined ? "" : contactWords.wait(seconds)}
    </p>
  );
}
