import { brand } from "#content/brand";
import { accountLink, inboxLink, login, navigationWords, sectionLinks, workWithUs } from "#content/navigation";
import { Button } from "../components/button";
import { Logo } from "../drawings/logo";
import styles from "./header.module.css";

/** On small screens the menu is a popover: the browser opens it, closes it on Escape and restores the focus. */
export function Header() {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <a className={`target ${styles.home}`} href="/#hero" aria-label={`${brand.name}, ${navigationWords.homeOf}`}>
          <Logo />
          {brand.name}
        </a>
        <button type="button" className={`bare target ${styles.toggle}`} popoverTarget="menu">
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path d="M3 8h18M3 16h12" />
          </svg>
          {navigationWords.menu}
        </button>
        <nav id="menu" popover="auto" className={styles.menu} aria-label={navigationWords.main}>
          <ul>
            {sectionLinks.map(({ label, href }) => (
              <li key={href}>
                <a href={href} className="target">
                  {label}
                </a>
              </li>
            ))}
            <li className={styles.login} data-for="visitors">
              <a href={login.href} className="target">
                {login.label}
              </a>
            </li>
            {/* site/scripts/show-account-link.ts shows one of these in place of the login. */}
            <li className={styles.login} data-for="admins" hidden>
              <a href={inboxLink.href} className="target">
                {inboxLink.label}
              </a>
            </li>
            <li className={styles.login} data-for="members" hidden>
              <a href={accountLink.href} className="target">
                {accountLink.label}
              </a>
            </li>
            <li className={styles.callToAction}>
              <Button href={workWithUs.href}>{workWithUs.label}</Button>
            </li>
          </ul>
          <button
            type="button"
            className={`bare target ${styles.close}`}
            popoverTarget="menu"
            popoverTargetAction="hide"
          >
            {navigationWords.close}
          </button>
        </nav>
      </div>
    </header>
  );
}
