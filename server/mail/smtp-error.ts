import { describeNetworkError } from "#process/network-error";

/** The properties that nodemailer's errors have besides their message. */
interface SmtpError extends Error {
  code?: string;
  /** The error code of the operating system or of TLS, if `code` is nodemailer's own. */
  originalCode?: string;
  timeoutType?: keyof typeof timeoutReasons;
  command?: string;
  response?: string;
  rejected?: string[];
}

const timeoutReasons = {
  CONNECT_TIMEOUT: "could not be reached: it did not answer",
  GREETING_TIMEOUT:
    "accepted the connection but never answered (if it expects TLS from the start, write smtps:// in SMTP_URL)",
  UPGRADE_TIMEOUT: "began to encrypt and stopped answering",
  SOCKET_TIMEOUT: "stopped answering in the middle of the conversation",
};

const answerCharactersMax = 300;

/**
 * Tells the site's owner in one sentence why the mail server did not accept a mail. The sentence ends with the server's
 * answer, if there is one. The password of `url` is hidden, even if the server repeats it.
 */
export function describeSmtpError(error: unknown, url: string): string {
  const smtpError = error as SmtpError;
  const answer = smtpError.response ? `: ${inOneLine(smtpError.response)}` : ".";
  return hidePassword(`The mail server ${new URL(url).host} ${reasonOf(smtpError)}${answer}`, url);
}

function reasonOf({ message, code = "", originalCode = code, timeoutType, response, ...more }: SmtpError): string {
  if (timeoutType) return timeoutReasons[timeoutType];
  if (response && message.includes("STARTTLS"))
    return "does not encrypt the connection, so no password or email was sent (use smtps:// or another port in SMTP_URL, or set SMTP_ALLOW_PLAIN=on)";
  const midway = "closed the connection midway";
  const reasons: Record<string, string> = {
    ECONNRESET: midway,
    EPIPE: midway,
    EAUTH: response ? "refused the user name or password of SMTP_URL" : "asks for a password, and SMTP_URL has none",
    EENVELOPE: refusedPart(more),
    EMESSAGE: "refused the email",
    ECONNECTION: response ? "ended the conversation" : midway,
    EABORT: "did not accept the email in time",
    ETLS: `could not be trusted: ${inOneLine(message.replace(/^Error initiating TLS - /, ""))}`,
    EPROTOCOL: "said something unexpected",
  };
  const reason = describeNetworkError(originalCode) ?? reasons[originalCode] ?? reasons[code];
  return reason ?? `could not be used: ${inOneLine(message)}`;
}

function refusedPart({ command = "", rejected = [] }: Pick<SmtpError, "command" | "rejected">): string {
  const parts: Record<string, string> = {
    "MAIL FROM": "refused the sender of MAIL_FROM",
    "RCPT TO": `refused the recipient ${rejected.join(", ")}`,
    DATA: "refused the email",
  };
  return parts[command] ?? "was not asked: the sender or the recipient is not an address";
}

/** Hides the password in all its forms: as it is in `url`, decoded, and as SMTP sends it (RFC 4954, RFC 4616). */
function hidePassword(text: string, url: string): string {
  const { username, password } = new URL(url);
  if (!password) return text;
  const [user, decodedPassword] = [decoded(username), decoded(password)];
  const sent = [decodedPassword, `\0${user}\0${decodedPassword}`].map((each) => Buffer.from(each).toString("base64"));
  return [...sent, password, decodedPassword].reduce((hidden, secret) => hidden.replaceAll(secret, "(hidden)"), text);
}

/** As nodemailer decodes it: a part with a stray % is sent as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function inOneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > answerCharactersMax ? `${line.slice(0, answerCharactersMax)}…` : line;
}
