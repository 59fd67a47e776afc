import type { ComponentProps } from "react";
import styles from "./notice.module.css";

interface NoticeProps extends Pick<ComponentProps<"p">, "id" | "ref" | "tabIndex"> {
  tone: "success" | "error";
  /** Empty while there is nothing to say. */
  children: string;
}

/**
 * A live region that is in the document from the start, because a screen reader announces only what changes inside one
 * it already knows. Its children are always one string: the server may have filled the element before React wakes, and
 * React leaves foreign text alone only in an element that holds text and nothing else.
 */
export function Notice({ tone, children, ...paragraph }: NoticeProps) {
  return (
    <p
      {...paragraph}
      className={styles.notice}
      role="status"
      aria-live={tone === "error" ? "assertive" : "polite"}
      data-notice
      data-tone={tone}
      suppressHydrationWarning
    >
      {children}
    </p>
  );
}
