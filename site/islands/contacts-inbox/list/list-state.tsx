import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inboxWords } from "#content/inbox";
import { libraryAdvice } from "#content/library-advice";
import { inboxMessages } from "#content/messages";
import { workWithUs } from "#content/navigation";
import { BusyButton } from "../../../components/busy-button";
import { Button } from "../../../components/button";
import { BrokenStem, ClosedGate, EmptyLetterbox, SentLeaf } from "../../../drawings/small-drawings";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import type { LoadError } from "../../../supabase/load-error";
import { newsQuery } from "../data/query-cache";
import { type Team, useTeam } from "../data/team";
import { ClearFilters, listFilters } from "../find/active-filters";
import { defaultView, type InboxView, isFiltered } from "../find/inbox-view";
import { useInboxView } from "../find/use-inbox-view";
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
  const team = useTeam();
  const { data: news } = useQuery({ ...newsQuery, enabled: false });
  if (view.state === defaultView.state && !isFiltered(view) && !news?.newest_at)
    return (
      <State drawing={<EmptyLetterbox />} message={inboxMessages.empty}>
        <a href={workWithUs.href}>{inboxWords.toForm}</a>
      </State>
    );
  return <State {...describeEmpty(view, team)}>{isFiltered(view) && <ClearFilters />}</State>;
}

function State({ drawing, message, reason, advice, role, children }: StateProps) {
  return (
    <section className={styles.panel}>
      {drawing}
      <div className={`pile ${styles.text}`}>
        <div role={role} className="pile">
          <h2>{message}</h2>
          {reason && <p>{reason}</p>}
        </div>
        {advice && <p>{advice}</p>}
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
    <p className={`soft ${styles.loading}`} role="status">
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
  advice?: string;
}

/** `link` leads to where it can be done, in place of another try. */
type ErrorDescription = Description & { link?: { label: string; href: string } };

function describeEmpty(view: InboxView, team: Team): Description {
  const { nothing, states } = inboxWords;
  if (isFiltered(view))
    return { drawing: <EmptyLetterbox />, message: nothing.title, advice: nothing.text(searchedFor(view, team)) };
  if (view.state !== defaultView.state)
    return { drawing: <EmptyLetterbox />, message: nothing.title, advice: nothing.here(states[view.state]) };
  return { drawing: <SentLeaf />, message: inboxWords.done.title, advice: inboxWords.done.text };
}

/** What was searched for, such as “heron”, Consulting, From 5 Jan 2026. */
function searchedFor(view: InboxView, team: Team): string[] {
  const filters = listFilters(view, team).map(({ label }) => label);
  return view.search ? [`“${view.search}”`, ...filters] : filters;
}

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
