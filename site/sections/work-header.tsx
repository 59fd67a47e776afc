import { brand } from "#content/brand";
import { inboxWords } from "#content/inbox";
import { home, logoutScope, navigationWords, workLinks, workWithoutJavaScript } from "#content/navigation";
import { Logo } from "../drawings/logo";
import styles from "./work-header.module.css";

/** The header of the login: only the way back, so that nothing competes with the form. */
export function LoginHeader() {
  return (
    <header className={styles.header}>
      <div className={`${styles.bar} ${styles.login}`}>
        <Brand />
        <nav aria-label={navigationWords.main} className={styles.waysOut}>
          <a href={home.href}>{home.label}</a>
        </nav>
      </div>
    </header>
  );
}

/** The header of the inbox and the account page (docs/specification.md#header-of-the-work-tool). */
export function WorkHeader({ current }: { current: string }) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Brand />
        <nav aria-label={navigationWords.main}>
          <ul className={styles.links}>
            {workLinks.map(({ label, href, forAdmins }) => (
              // Elsewhere site/scripts/show-account-link.ts shows this link to administrators; the inbox hides it from others.
              <li key={href} {...(forAdmins && { "data-for": "admins", hidden: href !== current })}>
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
          <button type="button" data-log-out disabled aria-describedby="logout-scope">
            {inboxWords.logout}
            {/* `aria-hidden` keeps this line out of the accessible name; `aria-describedby` adds it as description. */}
            <span id="logout-scope" className={styles.scope} aria-hidden="true">
              {logoutScope}
            </span>
          </button>
        </div>
      </div>
      <noscript>
        <p className={styles.withoutJavaScript}>{workWithoutJavaScript}</p>
      </noscript>
    </header>
  );
}

function Brand() {
  return (
    <p className={styles.brand}>
      <a href={inboxWords.home.href} aria-label={`${brand.name}, ${navigationWords.homeOf}`}>
        <Logo />
        <span>{brand.name}</span>
      </a>
    </p>
  );
}
