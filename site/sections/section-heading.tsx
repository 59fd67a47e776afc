import styles from "./section-heading.module.css";

interface SectionHeadingProps {
  id?: string;
  /** The fixed name of the section (docs/specification.md#fixed-texts). */
  label: string;
  claim: string;
}

/** Name and claim are one heading, so that a screen reader lists both. */
export function SectionHeading({ id, label, claim }: SectionHeadingProps) {
  return (
    <h2 id={id} className={styles.heading}>
      <span className={styles.label}>{label}</span> {claim}
    </h2>
  );
}
