import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Random } from "../load/seeded-random.ts";
import { type Draft, formType, newContact, setHeader } from "./draft.ts";
import { hostileJson, hostileTexts } from "./hostile-values.ts";

/** Changes a draft for the worse. `index` is the number of the request. */
export type Spoiler = (draft: Draft, random: Random, index: number) => void;

const bodyBytesMax = 1024 * 1024;
const deep = 10_000;
/** A body that was spoilt before may have thousands of fields. */
const fieldsMax = 20;

const json =
  (write: (draft: Draft, random: Random, index: number) => string | Buffer): Spoiler =>
  (draft, random, index) => {
    draft.body = Buffer.from(write(draft, random, index) as string);
    setHeader(draft, "Content-Type", "application/json");
  };

const rows = (count: number, index: number) => Array.from({ length: count }, (_, at) => newContact(index, at));

const jsonSpoilers: Record<string, Spoiler> = {
  "JSON that is cut off": json(({ body }, random) => body.subarray(0, random.below(body.length + 1))),
  "JSON with changed bytes": json(({ body }, random) => {
    const changed = Buffer.from(body);
    for (let times = 0; times <= random.below(4); times++)
      if (changed.length > 0) changed[random.below(changed.length)] = random.below(256);
    return changed;
  }),
  "10,000 arrays in each other": json(() => "[".repeat(deep) + "]".repeat(deep)),
  "10,000 objects in each other": json(() => `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
  "10,000 arrays that never end": json(() => "[".repeat(deep)),
  "a field 10,000 levels deep": withField(() => "[".repeat(deep) + "]".repeat(deep)),
  "a field 60 levels deep": withField(() => "[".repeat(60) + "]".repeat(60)),
  "a body of 1 MiB and a byte": json(() => `"${"a".repeat(bodyBytesMax - 1)}"`),
  "a field of just below 1 MiB": withField(() => JSON.stringify("a".repeat(bodyBytesMax - 2000))),
  "a byte order mark": json(({ body }) => Buffer.concat([Buffer.from("\ufeff"), body])),
  "UTF-16": json(({ body }) => Buffer.from(body.toString(), "utf16le")),
  "bytes that are not UTF-8": json(({ body }) =>
    Buffer.concat([body.subarray(0, -3), Buffer.from([0xc0, 0x80, 0xff]), body.subarray(-3)]),
  ),
  "a NUL byte": json(({ body }) => Buffer.concat([body.subarray(0, -2), Buffer.from([0]), body.subarray(-2)])),
  "half a surrogate pair as key": json(({ body }) => body.toString().replace('"', '"\\ud800')),
  "a hostile field": withField((random) => random.pick(hostileJson)),
  "a missing field": json(({ body }, random) =>
    JSON.stringify(Object.fromEntries(random.shuffled(fieldsOf(body)).slice(1))),
  ),
  "a field twice": json(({ body }, random) => {
    const [name = "", value] = random.pick(fieldsOf(body)) ?? [];
    return `{${JSON.stringify(name)}: ${random.pick(hostileJson)}, ${body.toString().slice(1, -1)}, ${JSON.stringify(name)}: ${JSON.stringify(value)}}`;
  }),
  "a field more": json(({ body }, random) => {
    const names = [
      "id",
      "submitted_at",
      "role",
      "is_admin",
      "app_metadata",
      "spam_reason",
      "__proto__",
      "constructor",
      "email_confirmed_at",
    ];
    return `{${JSON.stringify(random.pick(names))}: ${random.pick(hostileJson)}, ${body.toString().slice(1)}`;
  }),
  "a thousand fields": json(({ body }) => {
    const more = Array.from({ length: 1000 }, (_, at) => `"field${at}": ${at}`);
    return `{${more.join()}, ${body.toString().slice(1)}`;
  }),
  "a value instead of an object": json((_draft, random) => random.pick(hostileJson)),
  "an array instead of an object": json(({ body }) => `[${body}]`),
  "an array with other values": json(({ body }, random) => `[${body}, ${random.pick(hostileJson)}]`),
  "an empty body": json(() => ""),
  "white space": json(() => " \n\t "),
  "rows with different keys": json((_draft, _random, index) => JSON.stringify([newContact(index), { name: "x" }])),
  "20 rows": json((_draft, _random, index) => JSON.stringify(rows(20, index))),
  "1001 rows": json((_draft, _random, index) => JSON.stringify(rows(1001, index))),
  // Two such inserts lock the same addresses in different orders.
  "rows of the same addresses in another order": json((_draft, random, index) =>
    JSON.stringify(
      random.shuffled(rows(20, index)).map((row) => ({ ...row, email: row.email.replace(/^.*-/, "shared-") })),
    ),
  ),
  "20,000 empty rows": json(() => `[${Array(20_000).fill("{}").join()}]`),
};

const formSpoilers: Record<string, Spoiler> = {
  "a form": form((fields) => new URLSearchParams(fields).toString()),
  "a form with hostile fields": form((fields, random) => {
    const spoilt = fields.map(([name, value]) => [name, random.below(2) ? value : random.pick(hostileTexts)]);
    return new URLSearchParams(spoilt as [string, string][]).toString();
  }),
  "a form with a field twice": form((fields, random) =>
    new URLSearchParams([...fields, [random.pick(fields)[0], random.pick(hostileTexts)]]).toString(),
  ),
  "a form with arrays": form((fields, random) =>
    fields
      .map(
        ([name, value]) =>
          `${name}${random.pick(["[]", "[a]", "[a][b]", "[__proto__]", "[0]", "%5B%5D"])}=${encodeURIComponent(value)}`,
      )
      .join("&"),
  ),
  "a form with broken escapes": form((fields, random) =>
    fields
      .map(
        ([name, value]) =>
          `${name}=${encodeURIComponent(value)}${random.pick(["%", "%f", "%ff", "%00", "%u0041", "%c0%80"])}`,
      )
      .join("&"),
  ),
  "a form with __proto__": form((fields) => `__proto__=1&constructor=2&${new URLSearchParams(fields)}`),
  "a form with 5,000 fields": form(() => Array.from({ length: 5000 }, (_, at) => `f${at}=1`).join("&")),
  "a form of separators": form((_fields, random) => random.pick(["&", "=", "&=&", "=&=", ";", "%"]).repeat(3000)),
  "a form that is too large": form(() => `name=${"a".repeat(100_000)}`),
};

const typeSpoilers: Record<string, Spoiler> = {
  "an odd content type": (draft, random) =>
    setHeader(
      draft,
      "Content-Type",
      random.pick([
        "",
        ";",
        "text/plain",
        "text/csv",
        formType,
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json, text/plain",
        "application/vnd.pgrst.array+json",
        "application/octet-stream",
        "application/json;".repeat(500),
        "*/*",
        "\xff\xfe",
        "__proto__",
      ]),
    ),
  "a multipart body": (draft, random) => {
    const parts = fieldsOf(draft.body).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    draft.body = Buffer.from(`${parts.join("")}${random.pick(["--x--\r\n", "--x", ""])}`);
    setHeader(draft, "Content-Type", "multipart/form-data; boundary=x");
  },
  "a compressed body": (draft, random) => {
    const [encoding, compress] = random.pick([
      ["gzip", gzipSync],
      ["br", brotliCompressSync],
    ] as const);
    draft.body = compress(random.below(2) ? draft.body : Buffer.alloc(10 * bodyBytesMax));
    setHeader(draft, "Content-Encoding", encoding);
  },
  "a false content encoding": (draft, random) =>
    setHeader(draft, "Content-Encoding", random.pick(["gzip", "deflate", "br", "zstd", "gzip, gzip", "identity", "x"])),
  "random bytes": (draft, random) => {
    draft.body = Buffer.from(Array.from({ length: random.below(2000) }, () => random.below(256)));
  },
};

export const bodySpoilers: Record<string, Spoiler> = { ...jsonSpoilers, ...formSpoilers, ...typeSpoilers };

/** Replaces the value of one field. The body stays JSON, also if the value is not a text that JavaScript can hold. */
function withField(value: (random: Random) => string): Spoiler {
  return json(({ body }, random) => {
    const fields = fieldsOf(body);
    const at = random.below(fields.length);
    const text = fields.map(
      ([name, old], each) => `${JSON.stringify(name)}: ${each === at ? value(random) : JSON.stringify(old)}`,
    );
    return `{${text.join()}}`;
  });
}

function form(write: (fields: [string, string][], random: Random) => string): Spoiler {
  return (draft, random) => {
    const fields = fieldsOf(draft.body).map(([name, value]): [string, string] => [
      name.toWellFormed(),
      `${value}`.toWellFormed(),
    ]);
    draft.body = Buffer.from(write(fields.length ? fields : [["name", ""]], random));
    setHeader(draft, "Content-Type", formType);
  };
}

/**
 * The fields of a body that is still JSON or a form; none of any other. An object in a field is left out, because it may
 * be too deep to be written again.
 */
function fieldsOf(body: Buffer): [string, unknown][] {
  const text = body.toString();
  try {
    const fields: [string, unknown][] = Object.entries(JSON.parse(text));
    return fields.slice(0, fieldsMax).map(([name, value]) => [name, typeof value === "object" ? {} : value]);
  } catch {
    return text.includes("=") ? [...new URLSearchParams(text)].slice(0, fieldsMax) : [];
  }
}
