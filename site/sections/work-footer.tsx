import { brand } from "#content/brand";
import { LegalLinks } from "./legal-links";
import styles from "./work-footer.module.css";

export function WorkFooter() {
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <p>{brand.copyright}</p>
        <LegalLinks />
      </div>
    </footer>
  );
}
