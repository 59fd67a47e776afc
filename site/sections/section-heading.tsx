import styles from "./section-heading.module.css";

interface SectionHeadingProps {
  id: string;
  /** The fixed name of the section (docs/specification.md#fixed-texts). A branch leads to it from a node of the stem. */
  label: string;
  claim: string;
  size?: "huge" | "large" | "medium" | "small";
}

/** Name and claim are one heading, so that a screen reader lists both. */
export function SectionHeading({ id, label, claim, size = "medium" }: SectionHeadingProps) {
  return (
    <h2 id={id} className={styles[size]}>
      <span className={`label accent node ${styles.label}`}>{label}</span> {claim}
    </h2>
  );
}
