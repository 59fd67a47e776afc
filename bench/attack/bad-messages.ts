import { defaultPublicKey } from "#server/settings";
import type { Random } from "../load/seeded-random.ts";
import { type Draft, markOf, newContact, render } from "./draft.ts";
import type { Attempt } from "./exchange.ts";
import { hostileTexts } from "./hostile-values.ts";

/**
 * Writes a draft as bytes that are not a proper HTTP message, or as several messages. `others` are drafts for
 * pipelining.
 */
type Message = (draft: Draft, random: Random, index: number, others: () => Draft) => Attempt;

const text = (value: string) => Buffer.from(value, "latin1");

/** Rewrites the text of the message. */
const rewrite =
  (change: (text: string, random: Random, draft: Draft) => string, until: Attempt["until"] = "answer"): Message =>
  (draft, random) => ({ parts: [text(change(render(draft).toString("latin1"), random, draft))], until });

/** Changes the first line: method, address and version. */
const firstLine = (change: (line: [method: string, target: string], random: Random) => string) =>
  rewrite((message, random) =>
    message.replace(/^(\S*) (\S*) [^\r]*/, (_all, method, target) => change([method, target], random)),
  );

/** Puts lines into the head. */
const headLines = (lines: (random: Random, draft: Draft) => string, until?: Attempt["until"]) =>
  rewrite((message, random, draft) => message.replace("\r\n", () => `\r\n${lines(random, draft)}`), until);

/** A contact that must not be stored, because no reading of the message makes it a request of its own. */
function smuggled(index: number): string {
  const contact = newContact(index);
  const body = Buffer.from(JSON.stringify({ ...contact, name: `smuggled ${markOf(index)}` }));
  const headers: Draft["headers"] = [
    ["Host", "localhost"],
    ["apikey", defaultPublicKey],
    ["Content-Type", "application/json"],
  ];
  return render({ method: "POST", path: "/rest/v1/contacts", query: "", headers, body }).toString("latin1");
}

/** Sends a request whose end is ambiguous, with a contact behind it. */
const smuggle =
  (write: (inner: string, random: Random) => string): Message =>
  (draft, random, index) => {
    const head = `POST ${draft.path || "/"} HTTP/1.1\r\nHost: localhost\r\napikey: ${defaultPublicKey}\r\nContent-Type: application/json\r\n`;
    return { parts: [text(head + write(smuggled(index), random))], until: "answer" };
  };

export const badMessages: Record<string, Message> = {
  "a contact behind two kinds of length": smuggle(
    (inner) => `Content-Length: ${inner.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
  ),
  "a contact behind a length that is shorter than the chunks": smuggle(
    (inner) =>
      `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
  ),
  "a contact behind two lengths": smuggle(
    (inner) => `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  ),
  "a contact behind a list of lengths": smuggle((inner) => `Content-Length: 0, ${inner.length}\r\n\r\n${inner}`),
  "a contact behind an odd transfer encoding": smuggle((inner, random) => {
    const odd = [
      "Transfer-Encoding: xchunked",
      "Transfer-Encoding : chunked",
      "Transfer-Encoding: chunked, identity",
      "Transfer-Encoding:\x0bchunked",
      "Transfer-Encoding: identity",
      " Transfer-Encoding: chunked",
      "X: y\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
      "Transfer-Encoding:\r\n chunked",
      "Transfer-Encoding: chunk",
    ];
    return `Content-Length: ${inner.length + 5}\r\n${random.pick(odd)}\r\n\r\n0\r\n\r\n${inner}`;
  }),
  "a contact as body": smuggle((inner) => `Content-Length: ${inner.length}\r\n\r\n${inner}`),
  "a contact as body of GET": (draft, _random, index) => {
    const inner = smuggled(index);
    const head = `GET ${draft.path || "/"} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${inner.length}\r\nConnection: close\r\n\r\n`;
    return { parts: [text(head + inner)], until: "close" };
  },
  "a contact in chunks with broken sizes": smuggle((inner, random) => {
    const size = inner.length.toString(16);
    const sizes = [
      `${size};${"x".repeat(20_000)}`,
      `0x${size}`,
      `-1`,
      `fffffffffffffffff`,
      `${size} `,
      `+${size}`,
      "",
      "g",
      `${size}\n`,
      `0\n${size}`,
    ];
    return `Transfer-Encoding: chunked\r\n\r\n${random.pick(sizes)}\r\n${inner}\r\n0\r\n\r\n`;
  }),

  "bad lengths": (draft, random) => {
    const lengths = ["-1", "+5", "5 5", "0x5", "5,5", "99999999999999999999", "", "1e3", "٥", "5\x00"];
    const message = headLines((each) => `Content-Length: ${each.pick(lengths)}\r\n`);
    return message({ ...draft, body: Buffer.alloc(0) }, random, 0, () => draft);
  },
  "a body that is shorter than its length": (draft, random) => ({
    parts: [
      render({
        ...draft,
        headers: [...draft.headers, ["Content-Length", `${draft.body.length + 1 + random.below(10_000)}`]],
      }),
    ],
    until: "end",
  }),
  "a message that is cut off": (draft, random) => {
    const message = render(draft);
    return { parts: [message.subarray(0, random.below(message.length))], until: "end" };
  },
  "chunks that are cut off": (draft) => ({
    parts: [
      render({
        ...draft,
        headers: [...draft.headers, ["Transfer-Encoding", "chunked"]],
        body: Buffer.from("5\r\nabc"),
      }),
    ],
    until: "end",
  }),
  "a body in chunks": (draft) => {
    const chunks = Array.from({ length: Math.ceil(draft.body.length / 7) }, (_, at) =>
      draft.body.subarray(at * 7, at * 7 + 7),
    );
    const body = Buffer.concat(
      chunks.flatMap((chunk) => [text(`${chunk.length.toString(16)}\r\n`), chunk, text("\r\n")]),
    );
    return {
      parts: [
        render({
          ...draft,
          headers: [...draft.headers, ["Transfer-Encoding", "chunked"]],
          body: Buffer.concat([body, text("0\r\nX-Trailer: 1\r\n\r\n")]),
        }),
      ],
      until: "close",
    };
  },

  "line feeds alone": rewrite((message) => message.replaceAll("\r\n", "\n")),
  "carriage returns alone": rewrite((message) => message.replaceAll("\r\n", "\r"), "end"),
  "empty lines before the message": rewrite((message, random) => "\r\n".repeat(1 + random.below(50)) + message),
  "changed bytes": rewrite((message, random) => {
    const bytes = text(message);
    for (let times = 0; times <= random.below(3); times++)
      bytes[random.below(Math.min(bytes.length, 300))] = random.below(256);
    return bytes.toString("latin1");
  }, "end"),
  "a folded header": headLines(() => "X-Folded: a\r\n b\r\n\tc\r\n"),
  "odd header lines": headLines(
    (random) =>
      `${random.pick(["no colon", ": no name", "sp ace: 1", "X-Nul: a\0b", "X-Esc: \x1b[2J", "X\x00: 1", "X-Space : 1", "(x): 1", "\xff: 1", "X-CR: a\rb", "\t: 1", "X".repeat(20_000)])}\r\n`,
  ),
  "lengths and hosts twice": headLines(
    (random) =>
      `${random.pick(["Host: attack.example", "Host: localhost", "Content-Length: 0", "Transfer-Encoding: chunked", "apikey: x", "Authorization: Bearer x", "Content-Type: text/plain", "X-Forwarded-For: 1.2.3.4"])}\r\n`,
    "end",
  ),
  "no host": rewrite((message) => message.replace(/^Host:.*\r\n/m, "")),

  "another version": firstLine(
    ([method, target], random) =>
      `${method} ${target} ${random.pick(["HTTP/1.0", "HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3", "HTTP/11", "http/1.1", "HTTP/1.1 x", "", "RTSP/1.0"])}`,
  ),
  "another form of address": firstLine(
    ([method, target], random) =>
      `${method} ${random.pick([`http://localhost${target}`, `http://attack.example${target}`, `https://user:pass@localhost${target}`, "localhost:80", "*", `//attack.example${target}`, `file://${target}`, `http://${target}`, `http:${target}`, "?", "#"])} HTTP/1.1`,
  ),
  "odd spaces in the first line": firstLine(([method, target], random) =>
    random.pick([
      `${method}  ${target}  HTTP/1.1`,
      `${method}\t${target}\tHTTP/1.1`,
      ` ${method} ${target} HTTP/1.1`,
      `${method} ${target} HTTP/1.1 `,
      `${method}${target}HTTP/1.1`,
      method,
    ]),
  ),
  "an odd method": firstLine(
    ([method, target], random) =>
      `${random.pick([method.toLowerCase(), `${method}${method}`, "CONNECT", "PRI", "SOURCE", "M-SEARCH", "\0", "'", "A".repeat(5000), "GET /x HTTP/1.1\r\nPOST"])} ${target} HTTP/1.1`,
  ),
  "raw bytes in the address": firstLine(
    ([method, target], random) =>
      `${method} ${target}${random.pick(["\0", "\x7f", "\xff\xfe", "\x01", "<>", "{}", "|", "^", "`", '"', "a b"])} HTTP/1.1`,
  ),
  "an address of 20 KB": firstLine(([method, target]) => `${method} ${target}?${"a".repeat(20_000)} HTTP/1.1`),

  "another protocol": (_draft, random) => {
    const greetings = [
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "SSH-2.0-OpenSSH_9.9\r\n",
      "EHLO attack.example\r\n",
      "\x00\x00\x00\x08\x04\xd2\x16\x2f",
      "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "*1\r\n$4\r\nPING\r\n",
      random.pick(hostileTexts),
    ];
    return { parts: [text(random.pick(greetings))], until: "end" };
  },
  "random bytes instead of a message": (_draft, random) => ({
    parts: [Buffer.from(Array.from({ length: 1 + random.below(500) }, () => random.below(256)))],
    until: "end",
  }),
  nothing: () => ({ parts: [], until: "end" }),

  "an expectation": headLines(
    (random) => `Expect: ${random.pick(["100-continue", "100-Continue", "x", "100-continue, x"])}\r\n`,
  ),
  "an upgrade": headLines(
    (random) =>
      `Upgrade: ${random.pick(["websocket", "h2c", "TLS/1.0", "x"])}\r\nConnection: Upgrade, HTTP2-Settings\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`,
  ),

  "several requests at once": pipeline((random) => 2 + random.below(12)),
  "a bad message between others": (draft, random, index, others) => {
    const middle = random.pick(["\r\n\r\n\r\n", "\0", "x\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]);
    const [first, ...rest] = pipeline(() => 3)(draft, random, index, others).parts;
    return { parts: [first ?? Buffer.alloc(0), text(middle), ...rest], until: "end" };
  },
};

/** The last request asks the server to close the connection. */
function pipeline(count: (random: Random) => number): Message {
  return (draft, random, _index, others) => {
    const drafts = [draft, ...Array.from({ length: count(random) - 1 }, others)];
    return {
      parts: drafts.map((each, at) => render(each, { close: at === drafts.length - 1 })),
      until: "close",
    };
  };
}
