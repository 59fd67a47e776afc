import { describeNetworkError } from "#server/http/network-error";

/** What nodemailer's errors carry beside their message. */
interface SmtpError extends Error {
  code?: string;
  /** The system's or TLS's own code, where `code` is the library's. */
  originalCode?: string;
  timeoutType?: keyof typeof silences;
  /** The command that was not answered well. */
  command?: string;
  /** What the server said, with its code. */
  response?: string;
  rejected?: string[];
}

const silences = {
  CONNECT_TIMEOUT: "could not be reached: it did not answer",
  GREETING_TIMEOUT:
    "took the connection and never greeted (one that wants TLS from the start is written smtps:// in SMTP_URL)",
  UPGRADE_TIMEOUT: "began to encrypt and fell silent",
  SOCKET_TIMEOUT: "fell silent in the middle of the conversation",
};

/** As much of a server's speech as fits a notice. */
const wordsLengthMax = 300;

/**
 * Why a mail was not taken, in one sentence for the site's owner, with the server's own words where it said any. The
 * password of the address `url` never shows, not even where a server echoes it.
 */
export function describeSmtpError(error: unknown, url: string): string {
  const known = error as SmtpError;
  const said = known.response ? `: ${inOneLine(known.response)}` : ".";
  return hidePassword(`The mail server ${new URL(url).host} ${whatHappened(known)}${said}`, url);
}

function whatHappened({ message, code, originalCode = code, timeoutType, ...more }: SmtpError): string {
  if (timeoutType) return silences[timeoutType];
  const trouble = describeNetworkError(originalCode);
  if (trouble) return trouble;
  if (originalCode === "ECONNRESET" || originalCode === "EPIPE") return "closed the connection in mid-sentence";

  switch (code) {
    case "EAUTH":
      return more.response
        ? "refused the user name or password of SMTP_URL"
        : "asks for a password, and SMTP_URL has none";
    case "EENVELOPE":
      return whatWasRefused(more);
    case "EMESSAGE":
      return "refused the mail";
    case "ECONNECTION":
      return more.response ? "ended the conversation" : "closed the connection in mid-sentence";
    case "EABORT":
      return "did not take the mail in time";
    case "ETLS":
      return `could not be trusted: ${inOneLine(message.replace(/^Error initiating TLS - /, ""))}`;
    case "EPROTOCOL":
      return "said something unexpected";
    default:
      return `could not be used: ${inOneLine(message)}`;
  }
}

function whatWasRefused({ command, rejected = [] }: Pick<SmtpError, "command" | "rejected">): string {
  if (command === "MAIL FROM") return "refused the sender of MAIL_FROM";
  if (command === "RCPT TO") return `refused the recipient ${rejected.join(", ")}`;
  return command === "DATA" ? "refused the mail" : "was not asked: the sender or the recipient is no address";
}

/** The password as it is written in `url`, as it is meant, and as SMTP carries it (RFC 4954, RFC 4616). */
export function hidePassword(text: string, url: string): string {
  const { username, password } = new URL(url);
  if (!password) return text;
  const [user, meant] = [decoded(username), decoded(password)];
  const carried = [meant, `\0${user}\0${meant}`].map((each) => Buffer.from(each).toString("base64"));
  return [...carried, password, meant].reduce((hidden, secret) => hidden.replaceAll(secret, "(hidden)"), text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function inOneLine(words: string): string {
  const line = words.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > wordsLengthMax ? `${line.slice(0, wordsLengthMax)}…` : line;
}
