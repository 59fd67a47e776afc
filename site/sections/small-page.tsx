import type { ReactNode } from "react";
import styles from "./small-page.module.css";

interface SmallPageProps {
  title: string;
  drawing?: ReactNode;
  children: ReactNode;
}

/** A page with one thing to say: a drawing, a sentence, and the way on. */
export function SmallPage({ title, drawing, children }: SmallPageProps) {
  return (
    <section className={styles.page}>
      {drawing}
      <div className={styles.words}>
        <h1>{title}</h1>
        {children}
      </div>
    </section>
  );
}
