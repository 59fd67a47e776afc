import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { BusyButton } from "../../components/busy-button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { type FormOutcome, useNotice } from "../../hooks/use-form";
import { endOtherSessions, endOwnSession, type OwnSession } from "../../supabase/own-account";
import { formatTime, locationOf, timeSince } from "./audit-text";
import { LoadErrorNotice } from "./load-error-notice";
import styles from "./own-account.module.css";
import { sessions } from "./queries";

const text = accountWords.sessions;

/** The sessions of this account. A hosted Supabase project cannot list them, so nothing is shown. */
export function Sessions() {
  const { data, error, isPending, errorUpdateCount, refetch } = useQuery(sessions);
  const delayed = useDelayedPending(isPending);
  const loading = isPending && (delayed || errorUpdateCount > 0);
  const { busy, ending, end, notice } = useEnding();
  if (data === null || (!data && !error && !loading)) return null;
  const others = data?.filter(({ current }) => !current) ?? [];

  return (
    <section className={styles.sessions}>
      <h2>{text.title}</h2>
      <p className={styles.lead}>{text.lead}</p>
      {error && !data && <LoadErrorNotice error={error} retry={refetch} />}
      {loading && <p role="status">{accountWords.loading}</p>}
      <Notice {...notice} />
      <ul className={styles.list}>
        {data?.map((session) => (
          <Session
            key={session.id}
            session={session}
            busy={busy}
            ending={ending === session.id}
            end={() => end(session.id)}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <BusyButton
          variant="quiet"
          busy={busy}
          busyLabel={ending === "others" ? text.ending : text.endOthers}
          onClick={() => end("others")}
        >
          {text.endOthers}
        </BusyButton>
      )}
    </section>
  );
}

interface SessionProps {
  session: OwnSession;
  /** Whether a request to end any session is under way, not only the one of this row. */
  busy: boolean;
  ending: boolean;
  end: () => void;
}

function Session({ session, busy, ending, end }: SessionProps) {
  const { device, address, current, created_at: since, last_used_at: lastUse } = session;
  return (
    <li>
      <div>
        <p className={styles.device}>
          {device}
          {current && <span>{text.here}</span>}
        </p>
        <p className={styles.detail}>
          {text.from(locationOf(address))}, {text.lastUse}{" "}
          <time dateTime={lastUse} title={formatTime(lastUse)}>
            {timeSince(lastUse)}
          </time>
          , {text.since} <time dateTime={since}>{formatTime(since)}</time>
        </p>
      </div>
      {!current && (
        <BusyButton
          variant="quiet"
          busy={busy}
          busyLabel={ending ? text.ending : text.end}
          aria-label={ending ? undefined : text.endWhich(device)}
          onClick={end}
        >
          {text.end}
        </BusyButton>
      )}
    </li>
  );
}

/**
 * Ends one session, or all except this one. The focus moves to the message about the outcome, because the button that
 * had the focus may be removed.
 */
function useEnding() {
  const queries = useQueryClient();
  const { mutate, data, isPending, variables, submittedAt } = useMutation({
    throwOnError: true,
    mutationFn: async (which: string): Promise<FormOutcome> => {
      const ended = await (which === "others" ? endOtherSessions() : endOwnSession(which));
      const reloaded = queries.invalidateQueries();
      // A failure is shown at once, without waiting for the list to reload.
      if (!ended.ok) return { tone: "error", message: ended.message ?? text.notEnded };
      await reloaded;
      return { tone: "success", message: which === "others" ? text.othersEnded : text.ended };
    },
  });
  const outcome: FormOutcome = !isPending && data ? data : { tone: "success", message: "" };
  return {
    busy: isPending,
    ending: isPending ? variables : undefined,
    end: mutate,
    notice: useNotice(outcome, submittedAt),
  };
}
