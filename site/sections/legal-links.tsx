import { legalLinks, navigationWords } from "#content/navigation";
import styles from "./legal-links.module.css";

export function LegalLinks() {
  return (
    <nav aria-label={navigationWords.legal}>
      <ul className={styles.links}>
        {legalLinks.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
