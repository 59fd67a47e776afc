import type { ReactNode } from "react";
import { BusyButton } from "../../components/busy-button";
import { Notice } from "../../components/notice";
import { useForm } from "../../hooks/use-form";
import styles from "./auth-screen.module.css";
import type { StepResult } from "./step-results";
import type { Next } from "./step-types";

interface StepFormOptions {
  go: (next: Next) => void;
  /** Why the person is at this step. */
  error?: string;
  redirecting?: boolean;
}

/** A form whose answer leads to the next step, or to an error that keeps the person at this one. */
export function useStepForm(
  submit: (answers: FormData) => Promise<StepResult>,
  { go, error = "", redirecting = false }: StepFormOptions,
) {
  return useForm(
    error,
    async (answers) => {
      const result = await submit(answers);
      if ("next" in result) go(result.next);
      return "error" in result ? result.error : "";
    },
    { redirecting },
  );
}

interface StepFormProps extends Pick<ReturnType<typeof useForm>, "notice" | "form" | "busy"> {
  submit: string;
  busyLabel: string;
  children?: ReactNode;
}

/** The message, the fields and the button of a step. */
export function StepForm({ notice, form, busy, submit, busyLabel, children }: StepFormProps) {
  return (
    <>
      <Notice {...notice} />
      <form className={`stack ${styles.form}`} method="post" action="/auth" {...form}>
        {children}
        <BusyButton type="submit" busy={busy} busyLabel={busyLabel}>
          {submit}
        </BusyButton>
      </form>
    </>
  );
}
