import type { CSSProperties, ReactNode } from "react";
import { inboxWords } from "#content/inbox";
import styles from "./figures.module.css";

interface FiguresProps {
  title: string;
  /** What stands beside the title. */
  aside: ReactNode;
  children: ReactNode;
}

/** What opens about the numbers of contacts. */
export function Figures({ title, aside, children }: FiguresProps) {
  return (
    <div className={`caption ${styles.figures}`}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <div>{aside}</div>
      </div>
      {children}
    </div>
  );
}

interface FiguresTableProps {
  caption: string;
  columns: readonly string[];
  rows: readonly FiguresRow[];
  /** The last line. */
  total?: FiguresRow;
}

interface FiguresRow {
  key: string;
  label: ReactNode;
  numbers: readonly number[];
  /** The bar below the row is as long as its contacts are many. */
  contacts?: number;
}

/** Numbers of contacts, with a bar for each row. */
export function FiguresTable({ caption, columns, rows, total }: FiguresTableProps) {
  const most = Math.max(1, ...rows.map(({ contacts = 0 }) => contacts));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroller} tabIndex={0} aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row {...row} key={row.key} share={(row.contacts ?? 0) / most} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Row {...total} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

function Row({ label, numbers, share = 0 }: Omit<FiguresRow, "key"> & { share?: number }) {
  return (
    <tr>
      <th scope="row" style={{ "--share": share } as CSSProperties}>
        {label}
      </th>
      {numbers.map((number, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a number belongs to the column at its place
        <td key={index}>{inboxWords.number(number)}</td>
      ))}
    </tr>
  );
}
