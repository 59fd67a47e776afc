import { useQueryClient } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { passwordWords } from "#content/auth";
import { PasswordForm } from "../../components/password-form";
import type { FormOutcome } from "../../hooks/use-form";
import { savePassword } from "../../supabase/mail-codes";
import { refusalOf } from "./refusal-of";

export function ChangePassword({ email }: { email: string }) {
  const queries = useQueryClient();

  async function save(password: string, current?: string): Promise<FormOutcome> {
    const result = await savePassword(password, current);
    if (!result.ok) return { tone: "error", message: refusalOf(result, passwordWords.failed) };
    // Reload both lists: the change has ended all other sessions and added an entry to the audit log.
    queries.invalidateQueries();
    return { tone: "success", message: accountWords.password.saved };
  }

  return (
    <section>
      <h2>{accountWords.password.title}</h2>
      <PasswordForm email={email} asksCurrent save={save} />
    </section>
  );
}
