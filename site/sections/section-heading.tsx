import styles from "./section-heading.module.css";

interface SectionHeadingProps {
  id?: string;
  /** The section's name, as the specification and the navigation say it. */
  label: string;
  claim: string;
}

/** Name and claim are one heading: whoever jumps from heading to heading hears both. */
export function SectionHeading({ id, label, claim }: SectionHeadingProps) {
  return (
    <h2 id={id} className={styles.heading}>
      <span className={styles.label}>{label}</span> {claim}
    </h2>
  );
}
