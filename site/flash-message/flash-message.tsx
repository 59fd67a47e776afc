import { mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { Button } from "../components/button";
import { Field } from "../components/field";
import styles from "./flash-message.module.css";

/**
 * A popover for the outcome of a login or a mailed link. Until the popover is needed, it is in a `<template>`, so that
 * the contact form's email field is the only one on the page. It is as it is shown if its script cannot be loaded.
 */
export function FlashMessage() {
  return (
    <aside id="flash-message" popover="manual" className={styles.message} aria-label={flashMessages.label}>
      <p id="flash-message-text" role="status" tabIndex={-1}>
        {flashMessages.notLoaded}
      </p>
      <p role="status" className={styles.codes} data-codes hidden>
        <span />{" "}
        <a href={flashMessages.recoveryCodes.link.href} hidden>
          {flashMessages.recoveryCodes.link.label}
        </a>
      </p>
      <form method="post" action="/auth" hidden>
        <p>{flashMessages.resendLead}</p>
        <Field label={flashMessages.email} name="account" type="email" autoComplete="email" required />
        <Button type="submit">{mailAgainWords.send}</Button>
      </form>
      <div className={styles.actions}>
        <a href={flashMessages.login.href} data-login hidden>
          {flashMessages.login.label}
        </a>
        {/* A live region of its own, because the link may come a moment after the message. */}
        <span role="status" className={styles.inbox}>
          <Button href={flashMessages.inbox.href} aria-describedby="flash-message-text" data-inbox hidden>
            {flashMessages.inbox.label}
          </Button>
        </span>
        <button type="button" data-next>
          {flashMessages.reload}
        </button>
        <button type="button" popoverTarget="flash-message" popoverTargetAction="hide">
          {flashMessages.close}
        </button>
      </div>
    </aside>
  );
}
