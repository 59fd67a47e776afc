import { once } from "node:events";
import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import { isLoopbackHost } from "#backend/http/ip-address";
import type { Message } from "./mail-template.ts";
import { describeSmtpError } from "./smtp-error.ts";

/** In seconds. */
const timeouts = {
  /**
   * Time for the DNS query, for the connection and for the greeting, each. Some servers delay the greeting on purpose,
   * against spam.
   */
  connect: 15,
  /**
   * Time between two answers. This is nearly as long as the whole attempt: a server may have accepted a mail but
   * confirm it slowly, and the next attempt would deliver the mail a second time.
   */
  silence: 25,
  /** Time for the whole attempt. After this time the attempt has failed, and the queue repeats the mail later. */
  attempt: 30,
};

/** An idle connection is closed after this time, before the server would close it. */
const idleSecondsMax = 20;

/** How long the server may take to close the connection after QUIT. */
const quitSecondsMax = 1;

export interface SmtpOptions extends Partial<typeof timeouts> {
  /** Whether the password of the URL may cross a network without encryption. */
  allowPlain?: boolean;
  /** Its domain greets the mail server: strict ones refuse `[127.0.0.1]`, the library's default (RFC 5321, 4.1.4). */
  siteUrl?: string;
}

/** Keeps a pool of connections to the SMTP server of `url`, because a handshake costs more than a mail. */
export function smtpTransport(url: string, { allowPlain = false, siteUrl = "", ...limits }: SmtpOptions = {}) {
  const { connect, silence, attempt } = { ...timeouts, ...limits };
  const { hostname = "" } = URL.parse(siteUrl) ?? {};
  const transport = createTransport({
    url: allowPlain ? url : keepPasswordPrivate(url),
    name: hostname.includes(".") && isIP(hostname) === 0 ? hostname : undefined,
    pool: true,
    // At least as many as the jobs that the queue runs at once. With fewer, a job would wait for a connection and lose
    // time of its attempt.
    maxConnections: 6,
    idleTimeout: idleSecondsMax * 1000,
    // The queue repeats failed mails and counts the attempts. The pool repeats a mail once, if the server has closed
    // the idle connection meanwhile. It does so only if no byte of the mail has been sent, so no mail is sent twice.
    maxRequeues: 1,
    connectionTimeout: connect * 1000,
    greetingTimeout: connect * 1000,
    dnsTimeout: connect * 1000,
    socketTimeout: silence * 1000,
    socketCloseTimeout: quitSecondsMax * 1000,
    // No part of a mail may be read from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // A failed mail or handshake rejects its own promise. Errors of idle connections arrive here: without a listener they
  // would end our server.
  transport.on("error", () => {});

  // Without the error as its cause, which may quote the password.
  const rejectReadably = (error: unknown) => {
    throw new Error(describeSmtpError(error, url));
  };

  return {
    /** Resolves once the mail server has accepted the mail; rejects with a reason that an owner can read. */
    async send(message: Message) {
      // Stops automatic replies such as out-of-office notices (RFC 3834).
      const headers = { "Auto-Submitted": "auto-generated" };
      const signal = AbortSignal.timeout(attempt * 1000);
      const to = { name: "", address: message.to };
      return transport.sendMail({ ...message, to, headers, signal }).catch(rejectReadably);
    },
    /** Connects and signs in if `url` has a password, but sends no mail. */
    async verify() {
      await Promise.race([transport.verify(), rejectAfter(attempt * 1000)]).catch(rejectReadably);
    },
    close: () => transport.close(),
  };
}

/**
 * Adds that the connection must be encrypted before the password is sent. Otherwise it could be read on the network:
 * the mail server may offer no encryption, and an attacker can remove its offer. On loopback no network is crossed.
 */
function keepPasswordPrivate(url: string): string {
  const address = new URL(url);
  if (!address.password || isLoopbackHost(address.hostname)) return url;
  // The query wins over other options, so a `requireTLS` in it is replaced.
  address.searchParams.set("requireTLS", "true");
  return address.href;
}

/** For a mail server that talks without end: the time limit of nodemailer counts from the last answer. */
async function rejectAfter(milliseconds: number): Promise<never> {
  await once(AbortSignal.timeout(milliseconds), "abort");
  throw Object.assign(new Error("The handshake took too long"), { code: "EABORT" });
}

/**
 * Logs once whether the mail server of `url` is ready. So a wrong password is noticed when our server starts, not at
 * the first contact. Sends no mail and never rejects: our server starts even if the mail server is not ready.
 */
export async function checkSmtp(
  url: string,
  log: { info(line: string): void; error(line: string): void },
  options: SmtpOptions = {},
) {
  const smtp = smtpTransport(url, options);
  await smtp.verify().then(
    () => log.info(`The mail server ${new URL(url).host} is ready.`),
    (error: Error) => log.error(`${error.message} Emails wait in the queue until it is ready.`),
  );
  smtp.close();
}
