import type { ReactNode } from "react";
import styles from "./small-page.module.css";

interface SmallPageProps {
  title: string;
  drawing?: ReactNode;
  children: ReactNode;
}

/** A page of a drawing, a sentence and a link. */
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
