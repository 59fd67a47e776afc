import { arrivalWords } from "#content/arrival";
import { mailAgainWords } from "#content/auth";
import { Button } from "../components/button";
import { Field } from "../components/field";
import styles from "./arrival.module.css";

/** A note over the page for who comes from a link in an email; `site/scripts/arrival.ts` fills it in and opens it. */
export function Arrival() {
  return (
    <aside id="arrival" popover="manual" className={styles.note} aria-label={arrivalWords.label}>
      <p role="status" tabIndex={-1} />
      {/* A template is no part of the page: until it is needed, the page has one form and one e-mail field. */}
      <template>
        <form method="post" action="/auth">
          <p>{arrivalWords.askAgain}</p>
          <Field label={arrivalWords.email} name="account" type="email" autoComplete="email" required />
          <Button type="submit">{mailAgainWords.send}</Button>
        </form>
      </template>
      <div className={styles.end}>
        <a href={arrivalWords.login.href} hidden>
          {arrivalWords.login.label}
        </a>
        <button type="button" popoverTarget="arrival" popoverTargetAction="hide">
          {arrivalWords.close}
        </button>
      </div>
    </aside>
  );
}
