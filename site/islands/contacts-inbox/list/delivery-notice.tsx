import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { deliveryWords as text } from "#content/inbox-on-demand";
import { BusyButton } from "../../../components/busy-button";
import { type DeliveryFailure, retryDeliveries } from "../../../supabase/deliveries";
import { formatTime, timeOfDay } from "../data/contact-text";
import { deliveryFailures } from "../data/query-cache";
import styles from "./delivery-notice.module.css";

const groupsMax = 3;

/** Lists failed deliveries, with a button to retry them all (docs/specification.md#delivery-failures). */
export function DeliveryNotice() {
  const { data } = useQuery(deliveryFailures);
  const retry = useRetry();
  const total = data?.total ?? 0;
  const groups = groupFailures(data?.failures ?? []);
  const outcome = useFocusAfterRecovery<HTMLParagraphElement>(total > 0);

  return (
    <div className={styles.notice} data-failing={total > 0} data-empty={total === 0 && !retry.message}>
      <div className={`soft ${styles.failures}`} role="status">
        {total > 0 && (
          <>
            <h2 className="label">{text.title(total)}</h2>
            <p>{text.nothingLost}</p>
            <ul>
              {groups.slice(0, groupsMax).map((group) => (
                <Failure key={`${group.kind} ${group.gaveUp} ${group.reason}`} group={group} />
              ))}
            </ul>
            {groups.length > groupsMax && <p>{text.moreReasons(groups.length - groupsMax)}</p>}
          </>
        )}
      </div>
      {total > 0 && (
        <BusyButton variant="tool" busy={retry.isPending} busyLabel={text.trying} onClick={retry.start}>
          {inboxWords.tryAgain}
        </BusyButton>
      )}
      <p ref={outcome} className={styles.outcome} role="status" tabIndex={-1}>
        {retry.message}
      </p>
    </div>
  );
}

function Failure({ group }: { group: FailureGroup }) {
  const { kind, count, reason, since, gaveUp, nextAttempt } = group;
  return (
    <li>
      <p className={styles.reason}>{reason}</p>
      <p>
        {text.what[kind](count)}, {text.since} <time dateTime={since.toJSON()}>{shortTime(since)}</time>.{" "}
        {gaveUp
          ? text.gaveUp
          : nextAttempt && nextAttempt > new Date()
            ? text.nextTry(shortTime(nextAttempt))
            : text.stillTrying}
      </p>
    </li>
  );
}

interface FailureGroup {
  kind: DeliveryFailure["kind"];
  reason: string;
  gaveUp: boolean;
  count: number;
  since: Date;
  /** The earliest next attempt of all failures in the group. */
  nextAttempt: Date | undefined;
}

/** Groups failures with the same reason, the largest group first: if a mail server is down, all mails fail alike. */
function groupFailures(failures: readonly DeliveryFailure[]): FailureGroup[] {
  const groups = Map.groupBy(failures, ({ kind, reason, gave_up: gaveUp }) => JSON.stringify([kind, reason, gaveUp]));
  return [...groups.values()].map(toGroup).sort((a, b) => b.count - a.count);
}

function toGroup(failures: readonly DeliveryFailure[]): FailureGroup {
  const [{ kind, reason, gave_up: gaveUp }] = failures as [DeliveryFailure];
  const nextAttempts = failures.flatMap(({ next_try_at: time }) => (time ? [Date.parse(time)] : []));
  return {
    kind,
    reason,
    gaveUp,
    count: failures.length,
    since: new Date(Math.min(...failures.map(({ failing_since: time }) => Date.parse(time)))),
    nextAttempt: nextAttempts.length > 0 ? new Date(Math.min(...nextAttempts)) : undefined,
  };
}

function useRetry() {
  const queries = useQueryClient();
  const { mutate, isPending, data } = useMutation({
    mutationFn: retryDeliveries,
    onSettled: (result) => {
      const reloaded = queries.invalidateQueries({ queryKey: deliveryFailures.queryKey });
      // After a success the returned promise keeps the button busy until the list is reloaded. After a failure the
      // message appears without waiting for the reload.
      return result?.ok ? reloaded : undefined;
    },
  });
  const message = data?.ok ? text.triedAgain(data.value) : (data?.message ?? text.notTried);
  return { isPending, start: () => mutate(), message: data && !isPending ? message : "" };
}

/** Moves the focus to the message when no failure is left: the button with the focus is then gone. */
function useFocusAfterRecovery<Target extends HTMLElement>(isFailing: boolean) {
  const target = useRef<Target>(null);
  const before = useRef(isFailing);
  useEffect(() => {
    const recovered = before.current && !isFailing;
    before.current = isFailing;
    if (recovered && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [isFailing]);
  return target;
}

/** Today's times are shown without the date. */
function shortTime(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return formatTime(time, isToday ? timeOfDay : undefined);
}
