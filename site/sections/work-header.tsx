import { brand } from "#content/brand";
import { inboxWords } from "#content/inbox";
import { navigationWords } from "#content/navigation";
import { workLinks, workWithoutJavaScript } from "#content/work-header";
import { Logo } from "../drawings/logo";
import styles from "./work-header.module.css";

/** The header of the inbox and the account page (docs/specification.md#header-of-the-work-tool). */
export function WorkHeader({ current }: { current: string }) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <p className={styles.brand}>
          <Logo />
          <span>{brand.name}</span>
        </p>
        <nav aria-label={navigationWords.main}>
          <ul className={styles.links}>
            {workLinks.map(({ label, href, forAdmins }) => (
              // On other pages, site/scripts/show-inbox-link.ts shows this link to administrators.
              <li key={href} {...(forAdmins && href !== current && { "data-for": "admins", hidden: true })}>
                <a href={href} aria-current={href === current ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.waysOut}>
          <a href={inboxWords.home.href}>{inboxWords.home.label}</a>
          {/* site/hooks/use-log-out-button.ts enables this button. */}
          <button type="button" data-log-out disabled>
            {inboxWords.logout}
          </button>
        </div>
      </div>
      <noscript>
        <p className={styles.withoutJavaScript}>{workWithoutJavaScript}</p>
      </noscript>
    </header>
  );
}
