import type { ReactNode } from "react";
import { authWords } from "#content/auth";
import { ClosedGate } from "../drawings/closed-gate";
import styles from "./auth-layout.module.css";

/** The form comes as children, because it is an island. */
export function AuthLayout({ children }: { children?: ReactNode }) {
  return (
    <section className={styles.layout}>
      <div className={styles.form}>
        {children}
        <noscript>
          <p className={styles.withoutJavaScript}>{authWords.withoutJavaScript}</p>
        </noscript>
      </div>
      <div className={styles.aside}>
        <ClosedGate />
        <p>
          {authWords.visitor.text} <a href={authWords.visitor.link.href}>{authWords.visitor.link.label}</a>
        </p>
      </div>
    </section>
  );
}
