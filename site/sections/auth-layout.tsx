import type { ReactNode } from "react";
import { authWords } from "#content/auth";
import { ClosedGate } from "../drawings/small-drawings";
import styles from "./auth-layout.module.css";

/** The form is passed in as children, because only an Astro file can make it an island (hydrate it). */
export function AuthLayout({ children }: { children?: ReactNode }) {
  return (
    <section className={styles.layout}>
      <div className={styles.form} data-sign-in>
        {children}
      </div>
      <div className={`soft ${styles.aside}`}>
        <ClosedGate />
        <p>
          {authWords.visitor.text} <a href={authWords.visitor.link.href}>{authWords.visitor.link.label}</a>
        </p>
      </div>
    </section>
  );
}
