import { accountWords } from "#content/account";
import { brand } from "#content/brand";
import { inboxWords } from "#content/inbox";
import { accountLink, accountMenuWords, home, inboxLink, logoutScope, navigationWords } from "#content/navigation";
import { pageProblems } from "#content/page-problems";
import { Button } from "../components/button";
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
      <PageProblem />
    </header>
  );
}

/**
 * The header of the inbox and the account page (docs/specification.md#header-of-the-work-tool). `aria-hidden` keeps the
 * second line of a control out of its name; `aria-describedby` adds it as description.
 */
export function WorkHeader({ current }: { current: string }) {
  const isInbox = current === inboxLink.href;
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Brand />
        {/* Elsewhere site/scripts/show-account-link.ts shows this link to administrators; the inbox hides it from others. */}
        <nav aria-label={navigationWords.main} data-for="admins" hidden={!isInbox}>
          <a href={inboxLink.href} aria-current={isInbox ? "page" : undefined}>
            {inboxLink.label}
          </a>
        </nav>
        <div className={styles.waysOut}>
          <a href={inboxWords.home.href}>{inboxWords.home.label}</a>
          <AccountMenu isCurrent={current === accountLink.href} />
          {/* site/hooks/use-log-out-buttons.ts enables this button and the one in the menu. */}
          <button type="button" data-log-out="global" disabled aria-describedby="logout-scope">
            {inboxWords.logout}
            <span id="logout-scope" className={styles.scope} aria-hidden="true">
              {logoutScope}
            </span>
          </button>
        </div>
      </div>
      <PageProblem />
    </header>
  );
}

/** A popover, as the menu of the public header, with the same `id`: site/scripts/close-menu.ts closes both. */
function AccountMenu({ isCurrent }: { isCurrent: boolean }) {
  const { account, logOutHere, logout } = accountMenuWords;
  return (
    <>
      <button type="button" className={styles.toggle} popoverTarget="menu" aria-current={isCurrent || undefined}>
        {accountLink.label}
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d="m2 4 4 4 4-4" />
        </svg>
      </button>
      <nav id="menu" popover="auto" className={`floating ${styles.menu}`} aria-label={accountLink.label}>
        <a href={accountLink.href} aria-current={isCurrent ? "page" : undefined} aria-describedby="menu-account">
          {account.title}
          <span id="menu-account" className={`caption ${styles.about}`} aria-hidden="true">
            {account.about}
          </span>
        </a>
        <button
          type="button"
          data-log-out="local"
          disabled
          // biome-ignore lint/a11y/noAutofocus: it gets the focus when the menu opens
          autoFocus
          aria-describedby="menu-log-out menu-logout"
        >
          {accountWords.logOutHere}
          <span id="menu-log-out" className={`caption ${styles.about}`} aria-hidden="true">
            {logOutHere}
          </span>
        </button>
        <p id="menu-logout" className={`caption ${styles.about}`}>
          {logout}
        </p>
      </nav>
    </>
  );
}

/** Says why the page does not work, after three seconds unless hydrate-after-paint.ts, which may not run, hides it. */
function PageProblem() {
  const { unsupported, notStored, storageFull, notLoaded, waiting, reload } = pageProblems;
  const texts = {
    "data-not-stored": notStored,
    "data-storage-full": storageFull,
    "data-not-loaded": notLoaded,
    "data-waiting": waiting,
  };
  return (
    <div id="page-problem" className={`strong ${styles.problem}`} role="alert" {...texts}>
      <p>{unsupported}</p>
      <p hidden>
        <Button variant="tool">{reload}</Button>
      </p>
    </div>
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
