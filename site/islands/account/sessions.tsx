import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { accountWords } from "#content/account";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { endOtherSessions, endOwnSession, type OwnSession } from "../../supabase/own-account";
import { momentOf, placeOf, timeSince } from "./audit-text";
import { LoadErrorNotice } from "./load-error";
import styles from "./own-account.module.css";
import { sessions } from "./queries";

const words = accountWords.sessions;

/** Where this account is signed in. Nothing at all on a backend that cannot tell. */
export function Sessions() {
  const { data, error, isPending, errorUpdateCount, refetch } = useQuery(sessions);
  const late = useDelayedPending(isPending);
  const loading = isPending && (late || errorUpdateCount > 0);
  const { busy, ending, end, notice, message, failed } = useEnding();
  if (data === null || (!data && !error && !loading)) return null;
  const others = data?.filter(({ current }) => !current) ?? [];

  return (
    <section className={styles.sessions}>
      <h2>{words.title}</h2>
      <p className={styles.lead}>{words.lead}</p>
      {error && !data && <LoadErrorNotice error={error} tryAgain={refetch} />}
      {loading && <p role="status">{accountWords.loading}</p>}
      <Notice tone={failed ? "error" : "success"} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
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
        <Button variant="quiet" aria-disabled={busy} onClick={() => end("others")}>
          {ending === "others" ? words.ending : words.endOthers}
        </Button>
      )}
    </section>
  );
}

interface SessionProps {
  session: OwnSession;
  /** This one or another is being ended. */
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
          {current && <span>{words.here}</span>}
        </p>
        <p className={styles.detail}>
          {words.from(placeOf(address))}, {words.lastUse}{" "}
          <time dateTime={lastUse} title={momentOf(lastUse)}>
            {timeSince(lastUse)}
          </time>
          , {words.since} <time dateTime={since}>{momentOf(since)}</time>
        </p>
      </div>
      {!current && (
        <Button
          variant="quiet"
          aria-disabled={busy}
          aria-label={ending ? undefined : words.endWhich(device)}
          onClick={end}
        >
          {ending ? words.ending : words.end}
        </Button>
      )}
    </li>
  );
}

/** Ends one session or all others; what came of it takes the focus, because the button that had it may be gone. */
function useEnding() {
  const queries = useQueryClient();
  const notice = useRef<HTMLParagraphElement>(null);
  const { mutate, data, isPending, variables, submittedAt } = useMutation({
    networkMode: "always",
    throwOnError: true,
    mutationFn: async (which: string) => {
      const ended = await (which === "others" ? endOtherSessions() : endOwnSession(which));
      const listed = queries.invalidateQueries();
      // A server that has not answered is not waited for once more.
      if (!ended.ok) return { failed: true, message: ended.message ?? words.notEnded };
      await listed;
      return { failed: false, message: which === "others" ? words.othersEnded : words.ended };
    },
  });
  const late = useDelayedPending(isPending);
  const message = isPending ? "" : (data?.message ?? "");
  useFocusOn(notice, message, submittedAt);
  return {
    busy: isPending,
    ending: late ? variables : undefined,
    end: (which: string) => !isPending && mutate(which),
    notice,
    message,
    failed: data?.failed ?? false,
  };
}
