import { type FormEvent, startTransition, useActionState, useRef } from "react";
import { authWords, codeWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useSession } from "../../hooks/use-session";
import type { StepProps } from "./auth-screen";
import styles from "./auth-screen.module.css";
import { tryCode } from "./mail-actions";
import { ResendMail } from "./resend-mail";

/** As many as the server gives to one code. */
const triesMax = 5;

interface Tries {
  error: string;
  wrong: number;
  /** The mail that these tries were about; another one starts anew. */
  mail: object;
}

/** The code of a mail, in place of its link: that may have been opened on another device, or not at all. */
export function CodeForm({ step, leaving, go }: StepProps<"code">) {
  const { about, email } = step;
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [last, submit, checking] = useActionState(
    async (before: Tries, answers: FormData) => {
      const address = about === "any" ? String(answers.get("email")) : email;
      const outcome = await tryCode(about, address, String(answers.get("code")));
      if ("next" in outcome) go(outcome.next);
      const wrong = (before.mail === step ? before.wrong : 0) + ("isWrongCode" in outcome ? 1 : 0);
      return { error: "error" in outcome ? outcome.error : "", wrong, mail: step };
    },
    { error: "", wrong: 0, mail: step },
  );
  const busy = checking || leaving;
  const late = useDelayedPending(busy);
  const tries = last.mail === step ? last : undefined;
  const isOver = about !== "any" && (tries?.wrong ?? 0) >= triesMax;
  const error = isOver ? codeWords.noMoreTries : (tries?.error ?? "");
  const message = busy ? "" : error || step.notice;

  useFocusOn(notice, message, step);
  // The link was followed in another tab. Where a code is being entered, or a password comes next, that has to wait.
  const isWaiting = () => about === "signup" && !busy && !form.current?.querySelector("input")?.value;
  useSession({ found: () => isWaiting() && go({ at: "end", address: "/" }) });

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!busy) startTransition(() => submit(answers));
  }

  return (
    <>
      <Notice tone={error ? "error" : "success"} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      <p className={styles.sentTo}>
        {about === "any" ? codeWords.any : <SentTo {...codeWords[about]} email={email} />}
      </p>
      {!isOver && (
        <form ref={form} className={styles.form} method="post" action="/auth" onSubmit={handle} aria-busy={busy}>
          {about === "any" && (
            <Field
              label={authWords.email}
              name="email"
              type="email"
              autoComplete="username"
              defaultValue={email}
              required
            />
          )}
          {/* No length: a code is pasted with the space that makes it readable. */}
          <Field
            label={codeWords.label}
            hint={codeWords.hint}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
          {/* Not disabled while it checks, or it would lose the focus. */}
          <Button type="submit" aria-disabled={busy}>
            {late ? codeWords.busy : codeWords.submit}
          </Button>
        </form>
      )}
      {about !== "any" && <ResendMail about={about} email={email} go={go} />}
    </>
  );
}

function SentTo({ start, end, email }: { start: string; end: string; email: string }) {
  return (
    <>
      {start}
      <strong>{email}</strong>
      {end}
    </>
  );
}
