import { Fragment } from "react";
import styles from "./unbroken.module.css";

/** Text whose lines break at spaces only: "Go-to-Market" stays one word, and the text stays what it is. */
export function Unbroken({ children }: { children: string }) {
  return children.split(" ").map((word, index) => (
    <Fragment key={word}>
      {index > 0 && " "}
      {word.includes("-") ? <span className={styles.word}>{word}</span> : word}
    </Fragment>
  ));
}
