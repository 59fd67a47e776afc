import { authWords, passwordWords } from "#content/auth";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { PasswordField } from "../../components/password-field";
import { useAuthSettings } from "../../hooks/use-auth-settings";
import { useForm, useNotice } from "../../hooks/use-form";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { EmailField } from "./email-field";
import { authenticate } from "./next-step";
import { ResendMail } from "./resend-mail";
import { nextWithSession } from "./second-factor-step";
import type { StepProps } from "./step-types";

/**
 * Login and sign-up are one form, so that typed text stays after the toggle. Without JavaScript the disabled button keeps
 * Enter from sending the form; hydrate-after-paint.ts enables it. `method="post"` keeps the password out of the address.
 */
export function CredentialsForm({ step, hydrated, redirecting, go }: StepProps<"form"> & { hydrated: boolean }) {
  const { mode, email } = step;
  const text = authWords[mode];
  const settings = useAuthSettings();
  // The error is in the step, because it belongs to one mode.
  const { busy, form } = useForm(
    "",
    async (answers) => {
      go(await authenticate(mode, String(answers.get("email")), String(answers.get("password"))));
      return "";
    },
    { redirecting },
  );
  const error = busy ? "" : step.error;
  const notice = useNotice({ tone: "error", message: error });
  // While a login request runs, nothing is done here: the login itself decides what follows.
  useSession({ onFound: (session) => !busy && go(nextWithSession(session)) });

  return (
    <>
      <Notice {...notice} />
      {error && step.unconfirmed && <ResendMail about="signup" email={email} go={go} />}
      <form className={`stack ${styles.form}`} method="post" action="/auth" {...form}>
        <EmailField email={email} />
        <PasswordField
          label={authWords.password}
          hint={mode === "signup" ? passwordWords.hint(settings?.passwordCharactersMin) : undefined}
          name="password"
          autoComplete={mode === "login" ? "current-password" : "new-password"}
          required
        />
        <Button type="submit" disabled={!hydrated || busy}>
          {busy ? text.busy : text.submit}
        </Button>
      </form>
    </>
  );
}
