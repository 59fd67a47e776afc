import { brand } from "#content/brand";
import { legalLinks, navigationWords } from "#content/navigation";
import styles from "./work-footer.module.css";

export function WorkFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <p>{brand.copyright}</p>
        <nav aria-label={navigationWords.legal}>
          <ul className={styles.links}>
            {legalLinks.map(({ label, href }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
