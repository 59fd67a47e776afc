import { brand } from "#content/brand";
import { legalLinks, navigationWords } from "#content/navigation";
import { UnrollingFrond } from "../drawings/unrolling-frond";
import styles from "./footer.module.css";
import { Stem } from "./stem";

interface FooterProps {
  /** Whether the stem of the sections ends here, as on the landing page. Elsewhere the frond begins at the window's edge. */
  stem?: boolean;
}

/** The footer has a frond that unrolls when the visitor comes to the end of the page. */
export function Footer({ stem = false }: FooterProps) {
  return (
    <footer className={stem ? styles.footer : `${styles.footer} ${styles.small}`}>
      {stem && <Stem place="last" pieces={4} />}
      <div className={styles.drawing} aria-hidden="true">
        <div className={stem ? styles.bend : styles.straight} />
        <div className={styles.frond}>
          <UnrollingFrond />
        </div>
      </div>
      <div className={styles.inner}>
        <p className={styles.motto}>{brand.motto}</p>
        <div className={styles.details}>
          <a className={`target ${styles.mail}`} href={`mailto:${brand.email}`}>
            {brand.email}
          </a>
          <LegalLinks />
          <p className="small soft">{brand.copyright}</p>
        </div>
      </div>
    </footer>
  );
}

/** The footer of the work tool and of the login. */
export function WorkFooter() {
  return (
    <footer className={`small soft ${styles.workFooter}`}>
      <div className={styles.row}>
        <p>{brand.copyright}</p>
        <LegalLinks />
      </div>
    </footer>
  );
}

function LegalLinks() {
  return (
    <nav aria-label={navigationWords.legal}>
      <ul className={`row ${styles.links}`}>
        {legalLinks.map(({ label, href }) => (
          <li key={href}>
            <a href={href} className="target">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
