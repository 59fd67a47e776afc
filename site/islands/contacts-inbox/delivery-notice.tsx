import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { Button } from "../../components/button";
import { retryDeliveries } from "../../supabase/deliveries";
import { deliveryFailures, type FailureGroup, groupFailures } from "./delivery-failures";
import styles from "./delivery-notice.module.css";

const words = inboxWords.deliveries;
const groupsMax = 3;

/** Says what the owner was not told and why, and lets them have it tried again. Nothing while all is well. */
export function DeliveryNotice() {
  const { data } = useQuery(deliveryFailures);
  const retry = useRetry();
  const total = data?.total ?? 0;
  const groups = groupFailures(data?.failures ?? []);
  const outcome = useFocusAfter<HTMLParagraphElement>(total > 0);

  return (
    <div className={styles.notice} data-failing={total > 0} data-empty={total === 0 && !retry.words}>
      <div className={styles.failures} role="status">
        {total > 0 && (
          <>
            <h2>{words.title(total)}</h2>
            <p>{words.nothingLost}</p>
            <ul>
              {groups.slice(0, groupsMax).map((group) => (
                <Failure key={`${group.kind} ${group.gaveUp} ${group.reason}`} group={group} />
              ))}
            </ul>
            {groups.length > groupsMax && <p>{words.moreReasons(groups.length - groupsMax)}</p>}
          </>
        )}
      </div>
      {total > 0 && (
        // Not disabled while it asks, or it would lose the focus.
        <Button variant="quiet" aria-disabled={retry.isPending} onClick={retry.start}>
          {retry.isPending ? words.trying : inboxWords.tryAgain}
        </Button>
      )}
      <p ref={outcome} className={styles.outcome} role="status" tabIndex={-1}>
        {retry.words}
      </p>
    </div>
  );
}

function Failure({ group }: { group: FailureGroup }) {
  const { kind, count, reason, since, gaveUp, nextTry } = group;
  return (
    <li>
      <p className={styles.reason}>{reason}</p>
      <p>
        {words.what[kind](count)}, {words.since} <time dateTime={since.toISOString()}>{moment(since)}</time>.{" "}
        {gaveUp ? words.gaveUp : nextTry && nextTry > new Date() ? words.nextTry(moment(nextTry)) : words.stillTrying}
      </p>
    </li>
  );
}

function useRetry() {
  const queries = useQueryClient();
  const { mutate, isPending, data } = useMutation({
    mutationFn: retryDeliveries,
    networkMode: "always",
    onSettled: (reading) => {
      const listed = queries.invalidateQueries({ queryKey: deliveryFailures.queryKey });
      // A server that has not answered is not waited for once more.
      return reading?.ok ? listed : undefined;
    },
  });
  const said = data?.ok ? words.triedAgain(data.value) : (data?.message ?? words.notTried);
  return { isPending, start: () => !isPending && mutate(), words: data && !isPending ? said : "" };
}

/** Gives the focus to what was answered when the button that had it is gone, because nothing is failing any more. */
function useFocusAfter<Target extends HTMLElement>(isFailing: boolean) {
  const target = useRef<Target>(null);
  const before = useRef(isFailing);
  useEffect(() => {
    const healed = before.current && !isFailing;
    before.current = isFailing;
    if (healed && document.activeElement === document.body) target.current?.focus({ preventScroll: true });
  }, [isFailing]);
  return target;
}

/** Of today the time is enough. */
function moment(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return (isToday ? timeOfDay : dayAndTime).format(time);
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
