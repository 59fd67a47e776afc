import { fc } from "#tests/support/property";
import type { Draft } from "./valid-request.ts";

/** Something that is wrong with a request: a name for the report, and the change of the draft. */
export interface Fault {
  name: string;
  apply: (draft: Draft, index: number) => void;
}

export function fault<T>(
  name: string,
  values: fc.Arbitrary<T>,
  apply: (draft: Draft, value: T, index: number) => void,
) {
  return values.map((value): Fault => ({ name, apply: (draft, index) => apply(draft, value, index) }));
}

export const bodyBytesMax = 1024 * 1024;
export const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Texts that are awkward somewhere: in SQL, HTML, a URL, a mail header, an address, a number, or in Unicode. */
export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom(
    ...["", " ", "\0", "a\0b", "\ufeff", "\u202eevil", "e\u0301".repeat(100), "𝒳".repeat(200), "İ@EXAMPLE.COM", "'"],
    ...["\\", "%", "%00", "%ff", "' or '1'='1", "'; select pg_sleep(20); --", "$1", "$$", "{{7*7}}", "{1,2}", "{", "("],
    ...["<script>alert(1)</script>", "../../../../etc/passwd", "\r\nBcc: victim@attack.example", "javascript:alert(1)"],
    ...[
      "//attack.example",
      "/\\attack.example",
      "https://localhost@attack.example/",
      "http://[::1",
      "a".repeat(100_000),
    ],
    ...["null", "NaN", "infinity", "epoch", "294277-01-01", "4714-01-01 BC", "-1", "1e400", "9223372036854775808"],
    ...["00000000-0000-0000-0000-000000000000", "__proto__", "constructor", "postgres", "service_role", "@"],
    ...[`a@${"b.".repeat(150)}example`, '"a b"@attack.example', "a@[127.0.0.1]", "admin@seeded.example\0"],
    ...["ADMIN@SEEDED.EXAMPLE ", "admin@seeded.example,victim@attack.example", "1) union select 1 --"],
  ),
);

/** JSON texts of the wrong type, or at the edge of a type. */
export const hostileJson = fc.oneof(
  hostileText.map((text) => JSON.stringify(text)),
  fc.json(),
  fc.constantFrom(
    ...[
      "null",
      "true",
      "-0",
      "1e400",
      "1e-400",
      "9007199254740993",
      "9".repeat(10_000),
      "[]",
      "{}",
      "[null]",
      '"\\ud800"',
    ],
    ...['{"__proto__": {"role": "service_role"}}', '{"constructor": {"prototype": {"role": "x"}}}', '{"toString": 1}'],
    ...['{"a": 1, "a": 2}', '{"": ""}', `{"${"k".repeat(10_000)}": 1}`, nested(60), nested(10_000)],
    JSON.stringify("a".repeat(bodyBytesMax - 2000)),
  ),
);

export const escaped = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;
