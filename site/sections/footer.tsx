import { brand } from "#content/brand";
import { fontLicences, navigationWords } from "#content/navigation";
import { Logo } from "../drawings/logo";
import styles from "./footer.module.css";
import { LegalLinks } from "./legal-links";

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p className={styles.motto}>{navigationWords.motto}</p>
        <div className={styles.logo}>
          <Logo />
        </div>
        <div className={styles.contact}>
          <p className={styles.name}>{brand.name}</p>
          <a className={styles.mail} href={`mailto:${brand.email}`}>
            {brand.email}
          </a>
        </div>
        <div className={styles.row}>
          <p>{brand.copyright}</p>
          <LegalLinks />
          <p className={styles.fonts}>
            {navigationWords.typefaces} <a href={fontLicences[0]?.href}>{fontLicences[0]?.label}</a>{" "}
            {navigationWords.and} <a href={fontLicences[1]?.href}>{fontLicences[1]?.label}</a>,{" "}
            {navigationWords.licencesOpen}.
          </p>
        </div>
      </div>
    </footer>
  );
}
