import { useState } from "react";
import { preparedMail } from "#content/prepared-mail";
import { Button } from "../../components/button";
import { useHydrated } from "../../hooks/use-hydrated";
import { copyText } from "../copy-text";
import styles from "./contact-form.module.css";

/**
 * The offer to send the contact as a mail. It is in the page from the start, because a server that is away cannot bring
 * it, and hidden. `use-contact-form.ts` shows it and fills in the link; without JavaScript the server does both in the
 * HTML. React never changes these two attributes.
 */
export function PreparedMail({ copiedText }: { copiedText: () => string }) {
  const { to, text, open } = preparedMail;
  return (
    <div aria-live="polite">
      <div data-prepared-mail className={styles.mail} hidden suppressHydrationWarning>
        <p>
          {text.start}
          <strong>{to}</strong>
          {text.end}
        </p>
        <p className={`row ${styles.mailActions}`}>
          <Button variant="quiet" small href={`mailto:${to}`} suppressHydrationWarning>
            {open}
          </Button>
          <CopyButton copiedText={copiedText} />
        </p>
      </div>
    </div>
  );
}

/** For visitors whose mail is a website: there a `mailto:` link often opens nothing. */
function CopyButton({ copiedText }: { copiedText: () => string }) {
  const [label, setLabel] = useState<string>(preparedMail.copy);
  if (!useHydrated()) return null;
  const copy = async () => setLabel((await copyText(copiedText(), preparedMail)).message);
  return (
    <Button variant="plain" onClick={copy} onBlur={() => setLabel(preparedMail.copy)}>
      {label}
    </Button>
  );
}
