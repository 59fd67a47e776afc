import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { inboxWords, workWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { unwrap } from "../../../supabase/load-error";
import { countContacts } from "../../../supabase/read-contacts";
import { formatTime, labelOfInterest } from "../data/contact-text";
import { useInboxElements } from "../data/inbox-elements";
import { countsKey, newsQuery } from "../data/query-cache";
import { type Team, useTeam } from "../data/team";
import styles from "./active-filters.module.css";
import { defaultView, type InboxView, isFiltered, isInboxPart, toFilter } from "./inbox-view";
import { addressOf, changeView, followInPage, useInboxView } from "./use-inbox-view";

const text = inboxWords.find;
interface ActiveFiltersProps {
  /** The list is being replaced by that of another view. */
  isOld: boolean;
  isEmpty: boolean;
}

/** What stands beside the heading: how many contacts the view has and how many are new, or what narrows it. */
export function ActiveFilters({ isOld, isEmpty }: ActiveFiltersProps) {
  const elements = useInboxElements();
  const { view } = useInboxView();
  const { data: news } = useQuery({ ...newsQuery, enabled: false });
  const busy = useDelayedPending(isOld);
  const count = useCountText();
  const filters = listFilters(view, useTeam());
  function remove(without: Partial<InboxView>) {
    changeView(without);
    elements.filters.current?.focus();
  }
  const isNarrowed = isFiltered(view) || filters.length > 0;
  return (
    <div className={styles.line} data-narrowed={isNarrowed}>
      {news && !isNarrowed && isInboxPart(view.state) && news.unread > 0 && (
        <a
          className={`strong target ${styles.unread}`}
          href={addressOf({ ...defaultView, state: "new" })}
          onClick={(event) => followInPage(event, { ...defaultView, state: "new" })}
        >
          {inboxWords.newOnes(news.unread)}
        </a>
      )}
      <p role="status" className={styles.count}>
        {busy ? inboxMessages.loading : count}
      </p>
      {filters.map(({ label, without }) => (
        <button
          key={label}
          type="button"
          className="bare"
          aria-label={text.remove(label)}
          onClick={() => remove(without)}
        >
          <span>{label}</span>
        </button>
      ))}
      {/* The text in place of an empty list has a link of its own. */}
      {filters.length > 1 && !isEmpty && <ClearFilters />}
    </div>
  );
}

/** The filters of this view beside the search: their texts, and what has to change so that each goes. */
export function listFilters({ state, interest, from, until, handler }: InboxView, { nameOf }: Pick<Team, "nameOf">) {
  const day = (date: string) => formatTime(`${date}T00:00`, localDay);
  const filters: { label: string; without: Partial<InboxView> }[] = [];
  if (state !== defaultView.state && isInboxPart(state))
    filters.push({ label: inboxWords.states[state], without: { state: defaultView.state } });
  if (interest) filters.push({ label: labelOfInterest(interest), without: { interest: undefined } });
  if (handler) filters.push({ label: labelOfHandler(handler, nameOf), without: { handler: undefined } });
  if (from) filters.push({ label: text.fromDay(day(from)), without: { from: undefined } });
  if (until) filters.push({ label: text.untilDay(day(until)), without: { until: undefined } });
  return filters;
}

function labelOfHandler(handler: string, nameOf: Team["nameOf"]): string {
  const { mine, nobodys, to } = workWords.handler;
  return handler === "me" ? mine : handler === "nobody" ? nobodys : to(nameOf(handler));
}

const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** A link to the inbox without a search or filters. */
export function ClearFilters() {
  const elements = useInboxElements();
  return (
    <a
      className="strong target"
      href={addressOf(defaultView)}
      onClick={(event) => {
        followInPage(event, defaultView);
        if (event.defaultPrevented) elements.filters.current?.focus();
      }}
    >
      {text.clear}
    </a>
  );
}

/** How many contacts the view has, also those that are not loaded; empty if the number is not known. */
function useCountText(): string {
  const { view } = useInboxView();
  const filter = toFilter(view);
  const { data: count } = useQuery({
    queryKey: [...countsKey, filter],
    queryFn: async () => unwrap(await countContacts(filter)),
    placeholderData: keepPreviousData,
    refetchOnReconnect: true,
    refetchOnWindowFocus: false,
  });
  const words = isFiltered(view) ? inboxWords.found : inboxWords.total;
  return count === undefined ? "" : words(count);
}
