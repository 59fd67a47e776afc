import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useState } from "react";
import { inboxWords } from "#content/inbox";
import { sourceWords as words } from "#content/inbox-sources";
import { language } from "#content/language";
import { inboxMessages } from "#content/messages";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { unwrap } from "../../../supabase/load-error";
import { type ContactSource, countBySource, type SourceKind } from "../../../supabase/read-contacts";
import { formatTime } from "../contact-text";
import { defaultView, type InboxView, searchLengthMax } from "../find/inbox-view";
import fieldStyles from "../find/search-and-filters.module.css";
import { addressOf, followInPage } from "../find/use-inbox-view";
import tableStyles from "../list/weeks-chart.module.css";
import { formatRate } from "./rate";
import styles from "./sources.module.css";

const kinds = Object.keys(words.kinds) as SourceKind[];
const periods = [4, 12, 26] as const;

/** The words before a source in a search (site/supabase/contact-search.ts). */
const searchWords: Record<SourceKind, string> = { referrer: "site", campaign: "campaign", first_page: "page" };

/** The address and the view with the contacts of a source. */
function viewOf(kind: SourceKind, { source, since }: ContactSource): InboxView {
  const search = `${searchWords[kind]}:${source.replaceAll("+", "%2B").replaceAll(" ", "+")}`;
  return { ...defaultView, state: "all", search, from: since };
}

/** Where visits and contacts come from (docs/specification.md#sources-of-contacts). */
export function Sources() {
  const [kind, setKind] = useState<SourceKind>("referrer");
  const [weeks, setWeeks] = useState<number>(12);
  const { data, isError, isFetching } = useQuery({
    queryKey: ["contact-sources", kind, weeks],
    queryFn: async () => ({ kind, sources: unwrap(await countBySource(kind, weeks)) }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isSlow = useDelayedPending(isFetching);
  return (
    <div className={tableStyles.chart}>
      <div className={tableStyles.head}>
        <h2>{words.title}</h2>
        <p role="status">{isSlow && inboxMessages.loading}</p>
      </div>
      <div className={fieldStyles.filters}>
        <Choice label={words.by} value={kind} choose={(value) => setKind(kinds.find((one) => one === value) ?? kind)}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </Choice>
        <Choice label={words.time} value={weeks} choose={(value) => setWeeks(Number(value))}>
          {periods.map((one) => (
            <option key={one} value={one}>
              {words.weeks(one)}
            </option>
          ))}
        </Choice>
      </div>
      {isError ? <p>{words.failed}</p> : data && <Figures {...data} />}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | number;
  choose: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, choose, children }: ChoiceProps) {
  return (
    <label className={fieldStyles.field}>
      {label}
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {children}
      </select>
    </label>
  );
}

function Figures({ kind, sources }: { kind: SourceKind; sources: readonly ContactSource[] }) {
  const [first] = sources;
  if (!first) return <p className={styles.text}>{words.nothing}</p>;
  const most = Math.max(1, ...sources.map(({ contacts }) => contacts));
  // A site whose pages another server sends counts no visits.
  const hasVisits = sources.some(({ visits }) => visits > 0);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={`${tableStyles.scroller} ${styles.sources}`} tabIndex={0} aria-label={words.title}>
        <table>
          <caption>{words.since(formatTime(first.since, day))}</caption>
          <thead>
            <tr>
              <th scope="col">{words.kinds[kind]}</th>
              <th scope="col">{words.contacts}</th>
              {hasVisits && <th scope="col">{words.visits}</th>}
              {hasVisits && <th scope="col">{words.rate}</th>}
            </tr>
          </thead>
          <tbody>
            {sources.map((one) => (
              <tr key={one.source}>
                <th scope="row">
                  <SourceLink kind={kind} source={one} />
                  <span className={styles.bar} style={{ inlineSize: `${(one.contacts / most) * 100}%` }} />
                </th>
                <td>{inboxWords.number(one.contacts)}</td>
                {hasVisits && <td>{inboxWords.number(one.visits)}</td>}
                {hasVisits && <td>{formatRate(one.contacts, one.visits)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hasVisits && <p className={styles.text}>{words.explanation}</p>}
    </>
  );
}

/** The source, as a link to its contacts if it has any. */
function SourceLink({ kind, source }: { kind: SourceKind; source: ContactSource }) {
  const label = <bdi>{source.source || words.unknown[kind]}</bdi>;
  const view = viewOf(kind, source);
  if (source.contacts === 0 || view.search.length > searchLengthMax) return label;

  function follow(event: MouseEvent) {
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    followInPage(event, view);
  }
  return (
    <a href={addressOf(view)} onClick={follow}>
      {label}
    </a>
  );
}

const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
