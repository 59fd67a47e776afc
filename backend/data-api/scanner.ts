import { refusals } from "./refusals.ts";

/** Reads a parameter from left to right; a refusal names the position (docs/protocol.md#filters). */
export class Scanner {
  private position = 0;
  private readonly text: string;
  /** The name of the parsed text in error messages: "filter", "order", "select parameter" or "logic tree". */
  private readonly subject: string;

  constructor(text: string, subject: string) {
    this.text = text;
    this.subject = subject;
  }

  get isDone(): boolean {
    return this.position === this.text.length;
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
    if (!this.isDone) this.fail("the end");
  }

  /** Reads one or more items with commas between them. */
  list<T>(readItem: () => T): T[] {
    const items = [readItem()];
    while (this.take(",")) items.push(readItem());
    return items;
  }

  rest(): string {
    const rest = this.text.slice(this.position);
    this.position = this.text.length;
    return rest;
  }

  /** Reads the name of a column or table, with or without double quotes. Control characters are refused. */
  name(): string {
    const name = this.quoted() ?? this.match(/(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy)?.trim();
    if (!name || /\p{Cc}/u.test(name)) return this.fail("field name (* or [a..z0..9_$])");
    if (this.take("->")) throw refusals.jsonPath();
    return name;
  }

  /** Reads a text in double quotes and returns its content. A backslash escapes the next character. */
  quoted(pattern = /"(?:[^"\\]|\\.)*"/sy): string | undefined {
    return this.match(pattern)?.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
  }

  /** The same, if the text in quotes is a whole element of a list. */
  quotedElement(): string | undefined {
    return this.quoted(/"(?:[^"\\]|\\.)*"(?=[,)]|$)/sy);
  }

  fail(expected: string): never {
    const found = this.isDone ? "end of input" : JSON.stringify(this.text[this.position]);
    throw refusals.parseError(this.subject, this.text, this.position + 1, `unexpected ${found} expecting ${expected}`);
  }
}
