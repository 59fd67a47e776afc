import { DatabaseError } from "pg";
import { type Logger, pino, stdSerializers } from "pino";
import { logDestination } from "./log-destination.ts";
import { printable } from "./print.ts";

export interface LogOptions {
  logLevel: string | undefined;
  output: { write(text: string): unknown; writableLength?: number; isTTY?: boolean };
}

/**
 * Logs at a terminal only warnings and errors, elsewhere every request. If a line cannot be written, for instance because
 * the disk is full, it is lost and the server goes on.
 *
 * No line holds personal data (docs/operating.md#the-log). What writes a line leaves out what it knows to be personal;
 * the two filters here are for the words of others: PostgreSQL, mail servers, libraries. A line about the error of a request
 * has a message of its own, because pino would take that of the error, past the filter.
 */
export function createLog({ logLevel, output }: LogOptions): Logger {
  return pino(
    {
      level: logLevel ?? (output.isTTY ? "warn" : "info"),
      serializers: { err: errorForLog },
      hooks: {
        streamWrite: (line) => (output.isTTY ? asText(withoutEmailAddresses(line)) : withoutEmailAddresses(line)),
      },
    },
    logDestination(output),
  );
}

const shownProperties = [
  "code",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
  "syscall",
  "statusCode",
];

/**
 * The part of an error that holds no values. PostgreSQL quotes the refused row in `detail`, a statement with its values in
 * `where` and `internalQuery`, and a value that it cannot read in the message. Node keeps the whole of a request that it
 * cannot read in `rawPacket`.
 */
export function errorForLog(error: Error) {
  const { type, message, stack, ...properties } = stdSerializers.err(error);
  const shown = Object.entries(properties).filter(([name]) => shownProperties.includes(name));
  return {
    type,
    message: withoutValues(message, error),
    stack: withoutValues(stack, error),
    ...Object.fromEntries(shown),
  };
}

/** SQLSTATE class 22, a value that does not fit its type. The words in quotation marks are the value, or the type. */
function withoutValues(text: string, error: unknown): string {
  if (!(error instanceof Error)) return text;
  const isAboutValue = error instanceof DatabaseError && error.code?.startsWith("22");
  const hidden = isAboutValue ? text.replaceAll(error.message, error.message.replace(/".*"/s, '"(hidden)"')) : text;
  return withoutValues(hidden, error.cause);
}

/** What a person reads at a terminal. Only a bug shows its stack. */
function asText(line: string): string {
  const { level, time, pid, hostname, msg, err, ...fields } = JSON.parse(line);
  const isBug = err && err.type !== "StartError";
  const known = !err || isBug || err.message === msg ? fields : { ...fields, err: err.message };
  const rest = Object.entries(known).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const text = `${new Date(time).toTimeString().slice(0, 8)} ${[msg, rest.join(", ")].join(" ").trim()}\n`;
  return printable(isBug ? `${text}${err.stack}\n` : text);
}

/** The first group keeps the escapes of JSON: the `n` of a line break before an address is no letter of it. */
const emailAddress = /(\\u[\da-f]{4}|\\.)|[\p{L}\p{N}.!#$%&'*+=?^_`{|}~-]+@[\p{L}\p{N}.-]+/gu;

/** A mail server repeats the address of the recipient when it refuses a mail, for example. */
function withoutEmailAddresses(line: string): string {
  return line.includes("@") ? line.replace(emailAddress, (_match, escaped?: string) => escaped ?? "(address)") : line;
}
