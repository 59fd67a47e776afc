import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { accountWords } from "#content/account";
import { endOtherSessions, endOwnSession, type OwnSession } from "../../backend/own-account";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useFocusOn } from "../use-focus-on";
import styles from "./own-account.module.css";
import { sessions } from "./queries";
import { Unread } from "./unread";
import { momentOf, placeOf, timeSince } from "./words";

const words = accountWords.sessions;

/** Where this account is signed in. Nothing at all on a backend that cannot tell. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessions);
  const { ending, end, notice, message, failed } = useEnding();
  if (data === null || (!data && !error)) return null;
  const others = data?.filter(({ current }) => !current) ?? [];

  return (
    <section className={styles.sessions}>
      <h2>{words.title}</h2>
      <p className={styles.lead}>{words.lead}</p>
      {error && !data && <Unread error={error} tryAgain={refetch} />}
      <Notice tone={failed ? "error" : "success"} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      <ul className={styles.list}>
        {data?.map((session) => (
          <Session key={session.id} session={session} busy={ending} end={() => end(session.id)} />
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="quiet" aria-disabled={ending} onClick={() => end("others")}>
          {words.endOthers}
        </Button>
      )}
    </section>
  );
}

interface SessionProps {
  session: OwnSession;
  busy: boolean;
  end: () => void;
}

function Session({ session, busy, end }: SessionProps) {
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
        <Button variant="quiet" aria-disabled={busy} aria-label={words.endWhich(device)} onClick={end}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

/** Ends one session or all others; what came of it takes the focus, because the button that had it may be gone. */
function useEnding() {
  const queries = useQueryClient();
  const notice = useRef<HTMLParagraphElement>(null);
  const { mutate, data, isPending, submittedAt } = useMutation({
    networkMode: "always",
    throwOnError: true,
    mutationFn: async (which: string) => {
      const ended = await (which === "others" ? endOtherSessions() : endOwnSession(which));
      await queries.invalidateQueries();
      if (!ended.ok) return { failed: true, message: ended.message ?? words.notEnded };
      return { failed: false, message: which === "others" ? words.othersEnded : words.ended };
    },
  });
  const message = isPending ? "" : (data?.message ?? "");
  useFocusOn(notice, message, submittedAt);
  return {
    ending: isPending,
    end: (which: string) => !isPending && mutate(which),
    notice,
    message,
    failed: data?.failed ?? false,
  };
}
