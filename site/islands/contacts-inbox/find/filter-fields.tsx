import { useRef } from "react";
import { inboxWords, workWords } from "#content/inbox";
import { interests } from "#validation/contact";
import { InterestOptions } from "../data/contact-text";
import { useTeam } from "../data/team";
import { defaultView, inboxParts, isInboxPart } from "./inbox-view";
import styles from "./search-and-filters.module.css";
import { useFieldThatFollows } from "./use-field-that-follows";
import { changeView, useInboxView } from "./use-inbox-view";

const text = inboxWords.find;
const { handler } = workWords;

/** The filters beside the search. */
export function FilterFields() {
  const { view } = useInboxView();
  const { isShared, others, labelOf } = useTeam();
  return (
    <div className={styles.filters}>
      {isInboxPart(view.state) && (
        <label className={styles.field}>
          {text.state}
          <select
            name="state"
            value={view.state}
            onChange={({ target }) => changeView({ state: inboxParts.find((one) => one === target.value) })}
          >
            {inboxParts.map((state) => (
              <option key={state} value={state}>
                {state === defaultView.state ? text.everyState : inboxWords.states[state]}
              </option>
            ))}
          </select>
        </label>
      )}
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
      {isShared && (
        <label className={styles.field}>
          {handler.label}
          <select
            name="handler"
            value={view.handler ?? ""}
            onChange={({ target }) => changeView({ handler: target.value || undefined })}
          >
            <option value="">{handler.anyone}</option>
            <option value="me">{handler.mine}</option>
            <option value="nobody">{handler.nobodys}</option>
            {others.map(({ user_id: id }) => (
              <option key={id} value={id}>
                {labelOf(id)}
              </option>
            ))}
          </select>
        </label>
      )}
      <DateField name="from" label={text.from} value={view.from} onChange={(from) => changeView({ from })} />
      <DateField name="until" label={text.until} value={view.until} onChange={(until) => changeView({ until })} />
    </div>
  );
}

interface DateFieldProps {
  name: string;
  label: string;
  value: string | undefined;
  onChange: (date: string | undefined) => void;
}

function DateField({ name, label, value = "", onChange }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const applied = useFieldThatFollows(input, value);

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
