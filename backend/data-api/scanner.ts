import { refusals } from "./refusals.ts";

/** Reads a parameter from left to right; a refusal names the position (docs/protocol.md#filters). */
export class Scanner {
  private position = 0;
  private readonly text: string;
  /** The name of the parsed text in error messages, such as "filter" or "order". */
  private readonly subject: string;

  constructor(text: string, subject: string) {
    this.text = text;
    this.subject = subject;
  }

  /** Skips `literal` if it comes next, and returns whether it did. */
  take(literal: string): boolean {
    const isNext = this.text.startsWith(literal, this.position);
    if (isNext) this.position += literal.length;
    return isNext;
  }

  /** Reads the next characters if they match `pattern`, which must have the flag `y` (sticky). */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const [found] = pattern.exec(this.text) ?? [];
    this.position += found?.length ?? 0;
    return found;
  }

  expect(literal: string) {
    if (!this.take(literal)) this.fail(`"${literal}"`);
  }

  expectEnd() {
    if (this.position < this.text.length) this.fail("the end");
  }

  /** Reads one or more items with commas between them. */
  list<T>(readItem: () => T): T[] {
    const items = [readItem()];
    while (this.take(",")) items.push(readItem());
    return items;
  }

  /** Reads the name of a column, with or without double quotes. Control characters are refused. */
  name(): string {
    const name = this.quoted(/"(?:[^"\\]|\\.)*"/sy) ?? this.match(/(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy)?.trim();
    return name && !/\p{Cc}/u.test(name) ? name : this.fail("field name (* or [a..z0..9_$])");
  }

  /**
   * Reads a value of a list or group, which ends at a comma or parenthesis. Quotes are ordinary characters, unless they
   * enclose the whole value: `q"r`.
   */
  value(): string {
    return this.quoted(/"(?:[^"\\]|\\.)*"(?=[,)]|$)/sy) ?? this.match(/[^,)]*/y) ?? "";
  }

  /** The content of a text in double quotes, in which a backslash escapes the next character. */
  private quoted(pattern: RegExp): string | undefined {
    return this.match(pattern)?.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
  }

  fail(expected: string): never {
    const found = this.text[this.position] === undefined ? "end of input" : JSON.stringify(this.text[this.position]);
    throw refusals.parseError(this.subject, this.text, this.position + 1, `unexpected ${found} expecting ${expected}`);
  }
}

/** Reads all of a parameter that is a list. */
export function scanList<T>(text: string, subject: string, readItem: (scanner: Scanner) => T): T[] {
  const scanner = new Scanner(text, subject);
  const items = scanner.list(() => readItem(scanner));
  scanner.expectEnd();
  return items;
}
