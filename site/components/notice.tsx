import type { ComponentProps } from "react";
import type { FormOutcome } from "../hooks/use-form";
import styles from "./notice.module.css";

interface NoticeProps extends Pick<ComponentProps<"p">, "id" | "ref" | "tabIndex"> {
  tone: FormOutcome["tone"];
  /** Empty while there is no message. */
  children: string;
}

/**
 * A live region, unless it gets the focus (`useNotice`): a screen reader then reads it, and would read it twice. It is in the document from the start, because a screen reader announces only changes inside a region
 * that it already knows. `children` is a plain string, because the server may have written a message into the notice
 * before hydration: React keeps that text only in an element whose sole child is a string.
 */
export function Notice({ tone, children, ...paragraph }: NoticeProps) {
  const isLive = paragraph.tabIndex === undefined;
  return (
    <p
      {...paragraph}
      className={`marked strong ${styles.notice}`}
      role={isLive ? "status" : undefined}
      aria-live={isLive ? (tone === "error" ? "assertive" : "polite") : undefined}
      data-notice
      data-tone={tone}
      suppressHydrationWarning
    >
      {children}
    </p>
  );
}
