import { useQuery } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import type { AuditEntry } from "../../supabase/own-account";
import { describeEntry, personOf, timeOf } from "./audit-text";
import { LoadErrorNotice } from "./load-error-notice";
import styles from "./own-account.module.css";
import { account, audit } from "./queries";

/**
 * The audit log of all accounts, for administrators. A hosted Supabase project has no such log, so nothing is shown. Nor
 * is anything shown before the second factor: the server refuses the log then, and `SecondFactor` says what to do.
 */
export function AuditList() {
  const step = useQuery(account).data?.step ?? "none";
  const { data, error, isPending, errorUpdateCount, refetch } = useQuery({ ...audit, enabled: step === "none" });
  const delayed = useDelayedPending(isPending);
  const loading = isPending && (delayed || errorUpdateCount > 0);
  if (step !== "none" || data === null || (!data && !error && !loading)) return null;
  return (
    <section className={styles.audit}>
      <h2>{accountWords.audit.title}</h2>
      <p className={styles.lead}>{accountWords.audit.lead}</p>
      {error && !data && <LoadErrorNotice error={error} retry={refetch} />}
      {loading && <p role="status">{accountWords.loading}</p>}
      {data?.length === 0 && <p>{accountWords.audit.empty}</p>}
      <ol className={styles.list}>
        {data?.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <li data-failed={entry.payload.action === "login_failed"}>
      <p className={styles.device}>{describeEntry(entry)}</p>
      <p className={styles.detail}>
        <span>{personOf(entry)}</span>
        <time dateTime={entry.created_at}>{timeOf(entry)}</time>
      </p>
    </li>
  );
}
