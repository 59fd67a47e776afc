import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inboxWords } from "#content/inbox";
import { libraryAdvice } from "#content/library-advice";
import { inboxMessages } from "#content/messages";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { BrokenStem, ClosedGate, EmptyLetterbox, LostPath, SentLeaf } from "../../../drawings/small-drawings";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import type { LoadError } from "../../../supabase/load-error";
import { formatTime, labelOfInterest } from "../contact-text";
import { type InboxView, isFiltered } from "../find/inbox-view";
import { ClearFilters } from "../find/search-and-filters";
import { useInboxView } from "../find/use-inbox-view";
import { newsQuery } from "../query-cache";
import styles from "./list-state.module.css";

interface FailedListProps {
  error: LoadError;
  retry: () => void;
  retrying: boolean;
}

/** Says why there is no list and what to do next (docs/specification.md#inbox-states). */
export function FailedList({ error, retry, retrying }: FailedListProps) {
  const { link, ...description } = describeError(error);
  return (
    <State {...description} role="alert">
      {link ? (
        <Button href={link.href}>{link.label}</Button>
      ) : (
        <BusyButton busy={retrying} busyLabel={inboxMessages.loading} onClick={retry}>
          {inboxWords.tryAgain}
        </BusyButton>
      )}
    </State>
  );
}

/** Says why the list of this view has no contacts. */
export function EmptyList() {
  const { view } = useInboxView();
  const { data: news } = useQuery({ ...newsQuery, enabled: false });
  return <State {...describeEmpty(view, Boolean(news?.newest_at))}>{isFiltered(view) && <ClearFilters />}</State>;
}

function State({ drawing, message, reason, advice, role, children }: StateProps) {
  return (
    <section className={styles.panel}>
      {drawing}
      <div className={styles.text}>
        <div role={role}>
          <h2>{message}</h2>
          {reason && <p>{reason}</p>}
        </div>
        <p>{advice}</p>
        {children}
      </div>
    </section>
  );
}

interface StateProps extends Description {
  role?: "alert";
  children: ReactNode;
}

/** Stands in the page before any script, and is visible after a short wait. */
export function Loading() {
  const isSlow = useDelayedPending(true, 3000);
  return (
    <p className={styles.loading} role="status">
      {inboxMessages.loading}
      {isSlow && ` ${inboxWords.slow}`}
    </p>
  );
}

interface Description {
  drawing: ReactNode;
  message: string;
  /** A second sentence of the message. */
  reason?: string;
  /** What to do next. */
  advice: string;
}

/** `link` leads to where it can be done, in place of another try. */
type ErrorDescription = Description & { link?: { label: string; href: string } };

function describeEmpty(view: InboxView, hasAny: boolean): Description {
  const { nothing, states } = inboxWords;
  if (isFiltered(view)) return { drawing: <LostPath />, message: nothing.title, advice: nothing.text(summarise(view)) };
  if (view.state !== "inbox")
    return { drawing: <EmptyLetterbox />, message: nothing.title, advice: nothing.here(states[view.state]) };
  if (hasAny) return { drawing: <SentLeaf />, message: inboxWords.done.title, advice: inboxWords.done.text };
  return { drawing: <EmptyLetterbox />, message: inboxMessages.empty, advice: inboxWords.empty };
}

/** What was searched for, such as “heron”, Consulting, from 5 Jan 2026. */
function summarise({ search, interest, from, until }: InboxView): string[] {
  const day = (date: string) => formatTime(`${date}T00:00`, localDay);
  return [
    search && `“${search}”`,
    interest && labelOfInterest(interest),
    from && inboxWords.nothing.from(day(from)),
    until && inboxWords.nothing.until(day(until)),
  ].filter((part): part is string => Boolean(part));
}

const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function describeError(error: LoadError): ErrorDescription {
  switch (error.reason) {
    case "not-admin":
      return {
        drawing: <ClosedGate />,
        message: inboxMessages.notAdmin,
        reason: inboxMessages.refused,
        advice: inboxWords.notAdmin(error.email),
      };
    case "set-up": {
      const { title, text, link } = inboxWords.setUp;
      return { drawing: <ClosedGate />, message: title, advice: text, link };
    }
    case "refused":
      return { drawing: <ClosedGate />, message: inboxMessages.refused, advice: inboxWords.refused };
    case "unanswered":
      return { drawing: <BrokenStem />, message: inboxMessages.notLoaded, advice: inboxWords.unanswered };
    default:
      return {
        drawing: <BrokenStem />,
        message: error.serverMessage ?? inboxMessages.notLoaded,
        advice: libraryAdvice[error.serverMessage ?? ""] ?? inboxWords.notLoaded,
      };
  }
}
