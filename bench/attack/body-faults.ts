import { brotliCompressSync, gzipSync } from "node:zlib";
import { fc } from "#tests/support/property";
import { bodyBytesMax, escaped, fault, hostileJson, hostileText, nested } from "./fault.ts";
import { formType, newContact, setHeader } from "./valid-request.ts";

const json = <T>(
  name: string,
  values: fc.Arbitrary<T>,
  write: (body: string, value: T, index: number) => string | Buffer,
) =>
  fault(name, values, (draft, value, index) => {
    draft.body = Buffer.from(write(draft.body.toString(), value, index) as string);
    setHeader(draft, "Content-Type", "application/json");
  });
const form = <T>(name: string, values: fc.Arbitrary<T>, write: (fields: [string, string][], value: T) => string) =>
  fault(name, values, (draft, value) => {
    const fields = fieldsOf(draft.body).map(([field, text]): [string, string] => [field, `${text}`.toWellFormed()]);
    draft.body = Buffer.from(write(fields, value));
    setHeader(draft, "Content-Type", formType);
  });
const rows = (count: number, index: number) =>
  JSON.stringify(Array.from({ length: count }, (_, number) => newContact(index, number)));
const newNames = "id submitted_at role is_admin app_metadata spam_reason __proto__ constructor email_confirmed_at";

export const bodyFaults = fc.oneof(
  json("a value instead of an object", hostileJson, (_body, value) => value),
  json("a hostile field", fc.tuple(fc.nat(20), hostileJson), (body, [at, value]) => {
    const fields = fieldsOf(Buffer.from(body));
    const changed = fields.map(([name, old], each) => [
      name,
      each === at % fields.length ? value : JSON.stringify(old),
    ]);
    return `{${changed.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join()}}`;
  }),
  json(
    "a field more",
    fc.tuple(fc.constantFrom(...newNames.split(" ")), hostileJson),
    (body, [name, value]) => `{"${name}": ${value}, ${body.slice(1)}`,
  ),
  json("a field less", fc.nat(20), (body, at) => {
    const fields = fieldsOf(Buffer.from(body));
    return JSON.stringify(Object.fromEntries(fields.toSpliced(at % (fields.length + 1), 1)));
  }),
  json("JSON that is cut off", fc.nat(200), (body, length) => body.slice(0, length)),
  json("changed bytes", fc.tuple(fc.nat(200), fc.nat(255)), (body, [at, byte]) => {
    const bytes = Buffer.from(body);
    if (at < bytes.length) bytes[at] = byte;
    return bytes;
  }),
  json("nesting", fc.constantFrom("[".repeat(10_000), nested(10_000), '{"a":'.repeat(10_000)), (_body, text) => text),
  json("more than 1 MiB", fc.constant(`"${"a".repeat(bodyBytesMax)}"`), (_body, text) => text),
  json("other characters", fc.constantFrom("\ufeff", "\0", "\xff", "utf16le"), (body, sign) =>
    sign === "utf16le" ? Buffer.from(body, sign) : Buffer.from(body.slice(0, -2) + sign + body.slice(-2), "latin1"),
  ),
  json("many rows", fc.constantFrom(20, 1001), (_body, count, index) => rows(count, index)),
  json("20,000 empty rows", fc.constant(`[${Array(20_000).fill("{}").join()}]`), (_body, text) => text),
  json("an array", hostileJson, (body, value) => `[${body}, ${value}]`),
  form("a form", hostileText, (fields, value) => `${new URLSearchParams([...fields, ["name", value.toWellFormed()]])}`),
  form("a form of arrays", fc.constantFrom("[]", "[a][b]", "[__proto__]", "%5B%5D"), (fields, ending) =>
    fields.map(([name, value]) => escaped(name + ending, value)).join("&"),
  ),
  form("broken escapes", fc.constantFrom("%", "%f", "%ff", "%00", "%c0%80"), (fields, ending) =>
    fields.map(([name, value]) => escaped(name, value) + ending).join("&"),
  ),
  form(
    "a large form",
    fc.constantFrom("f=1&".repeat(5000), "&=".repeat(3000), `name=${"a".repeat(100_000)}`),
    (_, text) => text,
  ),
  fault(
    "another content type",
    fc.constantFrom(
      "",
      ";",
      "text/csv",
      formType,
      "multipart/form-data",
      "application/json; charset=utf-16",
      "\xff\xfe",
    ),
    (draft, type) => setHeader(draft, "Content-Type", type),
  ),
  fault("a multipart body", fc.constantFrom("--x--\r\n", ""), (draft, ending) => {
    const part = 'Content-Disposition: form-data; name="email"\r\n\r\na@attack.example\r\n';
    draft.body = Buffer.from(`--x\r\n${part}${ending}`);
    setHeader(draft, "Content-Type", "multipart/form-data; boundary=x");
  }),
  fault(
    "a compressed body",
    fc.tuple(fc.constantFrom("gzip", "br", "x"), fc.boolean()),
    (draft, [encoding, isBomb]) => {
      const content = isBomb ? Buffer.alloc(10 * bodyBytesMax) : draft.body;
      draft.body = encoding === "br" ? brotliCompressSync(content) : gzipSync(content);
      setHeader(draft, "Content-Encoding", encoding);
    },
  ),
  fault("random bytes as body", fc.uint8Array({ maxLength: 2000 }), (draft, bytes) => {
    draft.body = Buffer.from(bytes);
  }),
);

/** At most twenty fields of a JSON object or a form. Objects in it are left out: they may be too deep to be written again. */
function fieldsOf(body: Buffer): [string, unknown][] {
  const text = body.toString();
  try {
    const fields: [string, unknown][] = Object.entries(JSON.parse(text));
    return fields.slice(0, 20).map(([name, value]) => [name.toWellFormed(), typeof value === "object" ? {} : value]);
  } catch {
    return text.includes("=") ? [...new URLSearchParams(text)].slice(0, 20) : [];
  }
}
