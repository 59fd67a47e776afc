import { type FormEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from "react";
import { inboxWords } from "#content/inbox";
import { lazyContent, Popover } from "../../../components/popover";
import { searchLengthMax } from "../../../supabase/contact-search";
import { useInboxElements } from "../data/inbox-elements";
import { useTeam } from "../data/team";
import { listFilters } from "./active-filters";
import { cleanSearch, type InboxView, isInboxPart, mainViews } from "./inbox-view";
import styles from "./search-and-filters.module.css";
import { useFieldThatFollows } from "./use-field-that-follows";
import { addressOf, changeView, followInPage, useInboxView } from "./use-inbox-view";

const FilterFields = lazyContent(async () => (await import("../on-demand")).FilterFields);

const text = inboxWords.find;
/** The pause in typing after which the list follows. */
const typingMilliseconds = 200;

interface SearchAndFiltersProps {
  /** There are so few contacts that only the views are of use. */
  isSmall: boolean;
  children: ReactNode;
}

/** Views, search and filters of the list. All of them are in the address of the page (docs/specification.md#inbox-address). */
export function SearchAndFilters({ isSmall, children }: SearchAndFiltersProps) {
  const { view } = useInboxView();
  const filters = listFilters(view, useTeam());
  const elements = useInboxElements();
  return (
    <search className={styles.bar} aria-label={text.label}>
      <Views view={view} />
      {(!isSmall || view.search || filters.length > 0) && (
        <>
          <SearchField value={view.search} />
          <Popover opener={elements.filters} button={text.filter(filters.length)} label={text.filters}>
            <FilterFields />
          </Popover>
        </>
      )}
      {children}
    </search>
  );
}

/** The list follows the typing after a short pause. Escape clears the field. */
function SearchField({ value }: { value: string }) {
  const { search: input } = useInboxElements();
  const applied = useFieldThatFollows(input, value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function apply() {
    clearTimeout(timer.current);
    const search = cleanSearch(input.current?.value ?? "");
    // A search that is typed further stays one step of the history, so Back leads to the list before the search.
    const replace = applied.current !== "" && search !== "";
    if (search === applied.current) return;
    applied.current = search;
    changeView({ search }, { replace });
  }

  function applySoon() {
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, typingMilliseconds);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    apply();
  }

  function clear(event: SyntheticEvent) {
    if (!input.current?.value) return;
    event.preventDefault();
    input.current.value = "";
    input.current.focus();
    apply();
  }

  return (
    <form className={styles.search} method="get" onSubmit={submit}>
      <input
        ref={input}
        type="search"
        name="search"
        aria-label={text.search}
        placeholder={text.searchHint}
        maxLength={searchLengthMax}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onInput={applySoon}
        onKeyDown={(event) => event.key === "Escape" && clear(event)}
      />
      <button type="button" className="bare" aria-label={text.clearSearch} onClick={clear}>
        ×
      </button>
    </form>
  );
}

/** On a phone there is room for four links: while the deleted contacts are shown, theirs takes the place of the last one. */
function viewsBeside({ state }: InboxView) {
  return state === "deleted" ? [...mainViews.slice(0, -1), state] : mainViews;
}

function Views({ view }: { view: InboxView }) {
  return (
    <nav className={styles.views} aria-label={text.views}>
      {viewsBeside(view).map((state) => (
        <a
          key={state}
          href={addressOf({ ...view, state, at: undefined, contact: undefined })}
          aria-current={state === view.state || (state === "inbox" && isInboxPart(view.state)) ? "page" : undefined}
          onClick={(event) => followInPage(event, { state })}
        >
          {inboxWords.states[state]}
        </a>
      ))}
    </nav>
  );
}
