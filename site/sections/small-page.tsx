import type { ReactNode } from "react";
import styles from "./small-page.module.css";

interface SmallPageProps {
  title: string;
  drawing?: ReactNode;
  children: ReactNode;
}

/** A page with a title, a short text and in most cases a drawing. */
export function SmallPage({ title, drawing, children }: SmallPageProps) {
  return (
    <section className={styles.page}>
      {drawing}
      <div className={styles.text}>
        <h1>{title}</h1>
        {children}
      </div>
    </section>
  );
}
