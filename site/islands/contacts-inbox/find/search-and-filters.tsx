import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { inboxWords } from "#content/inbox";
import { interests } from "#validation/contact";
import { Button } from "../../../components/button";
import { InterestOptions } from "../contact-text";
import {
  cleanSearch,
  defaultView,
  endOfDay,
  type InboxView,
  localDate,
  searchLengthMax,
  viewStates,
} from "./inbox-view";
import styles from "./search-and-filters.module.css";
import { addressOf, changeView, followInPage, useInboxView } from "./use-inbox-view";

const text = inboxWords.find;
/** The pause in typing after which the list follows. */
const typingMilliseconds = 200;

/** Search and filters of the list. All of them are in the address of the page (docs/specification.md#inbox-address). */
export function SearchAndFilters() {
  const { view, start } = useInboxView();
  const [isOpen, setOpen] = useState(false);
  const filters = countFilters(view);
  return (
    <search className={styles.bar} aria-label={text.label}>
      <SearchField value={view.search} />
      <Button variant="tool" aria-expanded={isOpen} aria-controls="inbox-filters" onClick={() => setOpen(!isOpen)}>
        {text.filter(filters)}
      </Button>
      <div id="inbox-filters" className={styles.filters} data-open={isOpen}>
        <States view={view} />
        <label className={styles.field}>
          {text.interest}
          <select
            name="interest"
            value={view.interest ?? ""}
            onChange={({ target }) => changeView({ interest: interests.find((one) => one === target.value) })}
          >
            <option value="">{text.everyInterest}</option>
            <InterestOptions />
          </select>
        </label>
        <DateField name="from" label={text.from} value={view.from} onChange={(from) => changeView({ from })} />
        <DateField name="until" label={text.until} value={view.until} onChange={(until) => changeView({ until })} />
        <DateField
          name="at"
          label={text.jump}
          value={start && localDate(start)}
          onChange={(date) => changeView({ at: date && endOfDay(date) })}
        />
      </div>
    </search>
  );
}

/** The list follows the typing after a short pause. Escape clears the field. */
function SearchField({ value }: { value: string }) {
  const { input, applied } = useFieldThatFollows(value);
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

  function clear(event: KeyboardEvent) {
    if (event.key !== "Escape" || !input.current?.value) return;
    event.preventDefault();
    input.current.value = "";
    apply();
  }

  return (
    <form className={styles.search} method="get" onSubmit={submit}>
      <label className={styles.field}>
        {text.search}
        <input
          ref={input}
          type="search"
          name="search"
          placeholder={text.searchHint}
          maxLength={searchLengthMax}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onInput={applySoon}
          onKeyDown={clear}
        />
      </label>
    </form>
  );
}

function States({ view }: { view: InboxView }) {
  return (
    <nav className={styles.states} aria-label={text.states}>
      {viewStates.map((state) => (
        <a
          key={state}
          href={addressOf({ ...view, state, at: undefined, contact: undefined })}
          aria-current={view.state === state ? "page" : undefined}
          onClick={(event) => followInPage(event, { state })}
        >
          {inboxWords.states[state]}
        </a>
      ))}
    </nav>
  );
}

interface DateFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  onChange: (date: string | undefined) => void;
}

function DateField({ name, label, value = "", onChange }: DateFieldProps) {
  const { input, applied } = useFieldThatFollows(value);

  function apply({ value: date, validity }: HTMLInputElement) {
    if (!validity.valid) return;
    applied.current = date;
    onChange(date || undefined);
  }

  return (
    <label className={styles.field}>
      {label}
      <input
        ref={input}
        type="date"
        name={name}
        min="2000-01-01"
        max="2999-12-31"
        onChange={({ target }) => apply(target)}
      />
    </label>
  );
}

/** A link to the inbox without a search or filters. */
export function ClearFilters() {
  return (
    <a className={styles.clear} href={addressOf(defaultView)} onClick={(event) => followInPage(event, defaultView)}>
      {text.clear}
    </a>
  );
}

/** How many filters are hidden behind the button of narrow screens. */
function countFilters({ state, interest, from, until }: InboxView): number {
  return [state !== defaultView.state, interest, from, until].filter(Boolean).length;
}

/**
 * A field that keeps what is being typed, and shows `value` when that changes for another reason, such as Back. `applied`
 * is the value that the list has got from the field.
 */
function useFieldThatFollows(value: string) {
  const input = useRef<HTMLInputElement>(null);
  const applied = useRef("");
  useEffect(() => {
    if (!input.current || value === applied.current) return;
    applied.current = value;
    input.current.value = value;
  }, [value]);
  return { input, applied };
}
