import { useQueryClient } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { linkWords, passwordWords } from "#content/auth";
import { PasswordForm, type SaveOutcome } from "../../components/password-form";
import { savePassword } from "../../supabase/mail-codes";
import styles from "./own-account.module.css";

export function ChangePassword({ email }: { email: string }) {
  const queries = useQueryClient();

  async function save(password: string, current?: string): Promise<SaveOutcome> {
    const answer = await savePassword(password, current);
    if (!answer.ok) return { tone: "error", message: wordsFor(answer) };
    // It has ended all other sessions, and is itself an entry of the log.
    queries.invalidateQueries();
    return { tone: "success", message: accountWords.password.saved };
  }

  return (
    <section className={styles.password}>
      <h2>{accountWords.password.title}</h2>
      <PasswordForm email={email} asksCurrent save={save} />
    </section>
  );
}

function wordsFor({ code = "", message }: { code: string | undefined; message: string | undefined }): string {
  return linkWords.refusals[code] ?? message ?? passwordWords.failed;
}
