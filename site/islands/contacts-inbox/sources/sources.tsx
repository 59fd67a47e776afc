import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useState } from "react";
import { sourceWords as words } from "#content/inbox-sources";
import { inboxMessages } from "#content/messages";
import { useClosePopover } from "../../../components/popover";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { searchLengthMax } from "../../../supabase/contact-search";
import { unwrap } from "../../../supabase/load-error";
import { type ContactSource, countBySource, type SourceKind } from "../../../supabase/read-contacts";
import { formatTime } from "../data/contact-text";
import { defaultView, type InboxView, localDate } from "../find/inbox-view";
import fieldStyles from "../find/search-and-filters.module.css";
import { addressOf, followInPage } from "../find/use-inbox-view";
import { Figures, FiguresTable } from "./figures";
import styles from "./figures.module.css";

const kinds = Object.keys(words.kinds) as SourceKind[];
const periods = [4, 12, 26] as const;

/** The words before a source in a search (site/supabase/contact-search.ts). */
const searchWords: Record<SourceKind, string> = { referrer: "site", campaign: "campaign", first_page: "page" };

/** The address and the view with the contacts of a source. */
function viewOf(kind: SourceKind, { source, since }: ContactSource): InboxView {
  const search = `${searchWords[kind]}:${source.replaceAll("+", "%2B").replaceAll(" ", "+")}`;
  return { ...defaultView, state: "all", search, from: since };
}

/** The day that many weeks ago, where the reader is. */
function startOfPeriod(weeks: number): string {
  const today = new Date();
  return localDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() - 7 * weeks));
}

/** Where visits and contacts come from (docs/specification.md#sources-of-contacts). */
export function Sources() {
  const [kind, setKind] = useState<SourceKind>("referrer");
  const [weeks, setWeeks] = useState<number>(12);
  const { data, isError, isFetching } = useQuery({
    queryKey: ["contact-sources", kind, weeks],
    queryFn: async () => ({ kind, sources: unwrap(await countBySource(kind, startOfPeriod(weeks))) }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isSlow = useDelayedPending(isFetching);
  return (
    <Figures title={words.title} aside={<p role="status">{isSlow && inboxMessages.loading}</p>}>
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
      {isError ? <p className={styles.text}>{words.failed}</p> : data && <SourcesTable {...data} />}
    </Figures>
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

function SourcesTable({ kind, sources }: { kind: SourceKind; sources: readonly ContactSource[] }) {
  const [first] = sources;
  if (!first) return <p className={styles.text}>{words.nothing}</p>;
  // A site whose pages another server sends counts no visits.
  const hasVisits = sources.some(({ visits }) => visits > 0);
  return (
    <>
      <FiguresTable
        caption={words.since(formatTime(first.since, day))}
        columns={[words.kinds[kind], words.contacts, ...(hasVisits ? [words.visits] : [])]}
        rows={sources.map((one) => ({
          key: one.source,
          label: <SourceLink kind={kind} source={one} />,
          numbers: [one.contacts, ...(hasVisits ? [one.visits] : [])],
          contacts: one.contacts,
        }))}
      />
      {hasVisits && <p className={styles.text}>{words.explanation}</p>}
    </>
  );
}

/** The source, as a link to its contacts if it has any. */
function SourceLink({ kind, source }: { kind: SourceKind; source: ContactSource }) {
  const close = useClosePopover();
  const label = <bdi>{source.source || words.unknown[kind]}</bdi>;
  const view = viewOf(kind, source);
  if (source.contacts === 0 || view.search.length > searchLengthMax) return label;

  function follow(event: MouseEvent) {
    close();
    followInPage(event, view);
  }
  return (
    <a href={addressOf(view)} onClick={follow}>
      {label}
    </a>
  );
}

/** `since` is a date without a time, which JavaScript reads as midnight in UTC. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
