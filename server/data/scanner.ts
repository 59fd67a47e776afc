import { refusals } from "./refusals.ts";

/** Reads a parameter from left to right and, where it cannot go on, refuses with the place (protocol section 4.4). */
export class Scanner {
  private position = 0;
  private readonly text: string;
  /** What is being read, in the protocol's words: "filter", "order", "select parameter", "logic tree". */
  private readonly what: string;

  constructor(text: string, what: string) {
    this.text = text;
    this.what = what;
  }

  get isDone(): boolean {
    return this.position === this.text.length;
  }

  /** True, and past it, if `literal` comes next. */
  take(literal: string): boolean {
    const comes = this.text.startsWith(literal, this.position);
    if (comes) this.position += literal.length;
    return comes;
  }

  /** The next characters that fit `pattern`, which must be sticky; undefined if none do. */
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

  rest(): string {
    const rest = this.text.slice(this.position);
    this.position = this.text.length;
    return rest;
  }

  /** A column's or table's name: bare, or in double quotes. Control characters never reach an SQL text. */
  name(): string {
    const name = this.quoted() ?? this.match(/(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy)?.trim();
    if (!name || /\p{Cc}/u.test(name)) return this.fail("field name (* or [a..z0..9_$])");
    return name;
  }

  /** The inside of "…", where a backslash takes the next character as it is. */
  quoted(): string | undefined {
    const found = this.match(/"(?:[^"\\]|\\.)*"/sy);
    return found?.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
  }

  fail(expected: string): never {
    const found = this.isDone ? "end of input" : JSON.stringify(this.text[this.position]);
    throw refusals.parseError(this.what, this.text, this.position + 1, `unexpected ${found} expecting ${expected}`);
  }

  /** Runs `read` if it succeeds to its end; otherwise goes back to where it began. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const before = this.position;
    const found = read();
    if (found === undefined) this.position = before;
    return found;
  }
}
