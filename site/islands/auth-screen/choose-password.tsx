import { useState } from "react";
import { PasswordForm, type SaveOutcome } from "../../components/password-form";
import { useSession } from "../../hooks/use-session";
import type { StepProps } from "./auth-screen";
import { choosePassword } from "./mail-actions";

/** Whom a mail has let in chooses a password; the session is theirs already, and the landing page waits for it. */
export function ChoosePassword({ leaving, go }: Omit<StepProps<"password">, "step">) {
  const [email, setEmail] = useState("");
  useSession({ found: setEmail });

  async function save(password: string): Promise<SaveOutcome> {
    const outcome = await choosePassword(password);
    if ("next" in outcome) go(outcome.next);
    return { tone: "error", message: "error" in outcome ? outcome.error : "" };
  }
  return <PasswordForm email={email} leaving={leaving} save={save} />;
}
