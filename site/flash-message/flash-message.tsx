import { mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { Button } from "../components/button";
import { Field } from "../components/field";
import styles from "./flash-message.module.css";

/**
 * A note over the page for who comes from a link in an email. It is a template, so that nobody else has a second field
 * for an email on the page; `site/flash-message/show-flash-message.ts` makes it real, fills it in and opens it.
 */
export function FlashMessage() {
  return (
    <template id="arrival-note">
      <aside id="arrival" popover="manual" className={styles.note} aria-label={flashMessages.label}>
        <p role="status" tabIndex={-1} />
        <form method="post" action="/auth" hidden>
          <p>{flashMessages.askAgain}</p>
          <Field label={flashMessages.email} name="account" type="email" autoComplete="email" required />
          <Button type="submit">{mailAgainWords.send}</Button>
        </form>
        <div className={styles.end}>
          <a href={flashMessages.login.href} hidden>
            {flashMessages.login.label}
          </a>
          <button type="button" popoverTarget="arrival" popoverTargetAction="hide">
            {flashMessages.close}
          </button>
        </div>
      </aside>
    </template>
  );
}
