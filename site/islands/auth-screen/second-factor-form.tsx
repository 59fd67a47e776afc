import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { secondFactorStepWords } from "#content/second-factor-step";
import { ChoiceGroup } from "../../components/choice-group";
import { Field } from "../../components/field";
import { OneTimeCodeField, typedCode } from "../../components/one-time-code-field";
import { useSession } from "../../hooks/use-session";
import { countRecoveryCodes, secondFactorOf } from "../../supabase/second-factor";
import styles from "./auth-screen.module.css";
import { goOn, refreshStep, sessionEnded, submitAppCode, submitRecoveryCode } from "./second-factor-step";
import { StepForm, useStepForm } from "./step-form";
import type { StepResult } from "./step-results";
import type { Next, SecondFactorStep, StepProps } from "./step-types";

const text = secondFactorStepWords;

/**
 * Asks a person whose session has used only the password or a mail for a code of the second factor. Nothing is sent by
 * itself at the sixth digit: a person who listens to a screen reader hears what was typed, and sends it.
 */
export function SecondFactorForm({ step, ...rest }: StepProps<"second-factor">) {
  const { go } = rest;
  const refreshed = useRef<Promise<Next | undefined>>(undefined);
  const refresh = useEffectEvent(async () => {
    refreshed.current = refreshStep(step);
    const next = await refreshed.current;
    if (next) go(next);
  });
  useEffect(() => {
    if (!step.isFresh) refresh();
  }, [step]);

  // A code that is sent meanwhile waits: the renewal would store a session that has not used the second factor.
  const current = async () => (step.isFresh ? step : ((await refreshed.current) ?? step));
  const Form = step.by === "app" ? AppCode : RecoveryCode;
  return <Form step={step} {...rest} current={current} />;
}

interface FormProps extends StepProps<"second-factor"> {
  /** The step as the server has confirmed it. */
  current: () => Promise<Next>;
}

function AppCode({ step, ...rest }: FormProps) {
  const { factors } = step;
  return (
    <>
      <p className={styles.lead}>{text.text}</p>
      <Code
        step={step}
        {...rest}
        submit={(now, answers) => submitAppCode(now, answers.get("factor") as string | null, typedCode(answers))}
      >
        {factors.length > 1 && (
          <ChoiceGroup
            legend={text.which}
            name="factor"
            choices={factors.map(({ id, name }) => ({ value: id, label: name }))}
            chosen={factors[0]?.id ?? ""}
          />
        )}
        <OneTimeCodeField label={text.label} hint={text.hint} />
      </Code>
    </>
  );
}

/** On a hosted project, and for an account without recovery codes, only the advice is left. */
function RecoveryCode({ step, ...rest }: FormProps) {
  const [left, setLeft] = useState<number>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Without an answer the form is shown: it says what is wrong when it is sent.
    countRecoveryCodes().then((count) => setLeft(count.ok ? (count.value ?? 0) : 1));
  }, []);
  useEffect(() => {
    if (left !== undefined) (place.current?.querySelector("input") ?? place.current)?.focus();
  }, [left]);

  if (left === undefined) return <p className={styles.lead}>{text.recovery.text}</p>;
  return (
    <div ref={place} className={`stack ${styles.step}`} tabIndex={-1}>
      {left > 0 ? (
        <>
          <p className={styles.lead}>{text.recovery.text}</p>
          <Code step={step} {...rest} submit={(now, answers) => submitRecoveryCode(now, String(answers.get("code")))}>
            <Field
              label={text.recovery.label}
              hint={text.recovery.hint}
              name="code"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </Code>
          <p className="small soft">
            {text.recovery.noCode} {text.recovery.ask}
          </p>
        </>
      ) : (
        <>
          <p className={styles.lead}>{text.recovery.none}</p>
          <p className={styles.lead}>{text.recovery.ask}</p>
        </>
      )}
    </div>
  );
}

interface CodeProps extends FormProps {
  submit: (step: SecondFactorStep, answers: FormData) => Promise<StepResult>;
  children: ReactNode;
}

function Code({ step, redirecting, go, current, submit, children }: CodeProps) {
  const form = useStepForm(
    async (answers) => {
      const now = await current();
      return now.at === "second-factor" ? submit(now, answers) : { next: now };
    },
    { go, redirecting },
  );

  useSession({
    // Another tab has used the second factor. A session that was stored before this page says nothing.
    onFound: (session) => {
      if (step.isFresh && !form.busy && secondFactorOf(session) === "none") goOn(step).then(go);
    },
    onLost: () => !form.busy && go(sessionEnded()),
  });

  return (
    <StepForm {...form} submit={text.submit} busyLabel={text.busy}>
      {children}
    </StepForm>
  );
}
