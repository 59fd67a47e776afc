import { once } from "node:events";
import { inspect } from "node:util";
import { createTransport } from "nodemailer";
import type { Message } from "./mail-template.ts";
import { describeSmtpError, hidePassword } from "./smtp-error.ts";

/** How long a server may take. In seconds. */
const patience = {
  /** To the greeting. Some let strangers wait there, to see who is in a hurry. */
  connect: 15,
  /**
   * Between two words. One that took a whole mail and is slow to say so has it all the same, and the next attempt
   * doubles it: so this is nearly as long as the attempt.
   */
  silence: 25,
  /** In all. What is not taken by then has failed, and the queue tries again later. */
  attempt: 30,
};

/** A connection that nobody needs is given back before the server tires of it. */
const idleSecondsMax = 20;

/** After the last word, for the server to hang up as well. */
const farewellSecondsMax = 1;

/** What the server answered to a mail that it took. */
export interface Delivery {
  messageId: string;
  accepted: readonly string[];
  rejected: readonly string[];
  /** Its last line, with its code. */
  response: string;
}

export interface SmtpTransport {
  /** Resolves once the server has taken the mail; rejects with a reason in words that an owner can read. */
  send(message: Message): Promise<void>;
  /** The same, for who wants to know what the server answered. */
  deliver(message: Message): Promise<Delivery>;
  /** Shakes hands, with the password if there is one, and sends nothing. */
  verify(): Promise<void>;
  close(): void;
}

/** An SMTP server by its address. Connections are kept for a while and shared: a greeting costs more than a mail. */
export function smtpTransport(url: string, limits: Partial<typeof patience> = {}): SmtpTransport {
  const { connect, silence, attempt } = { ...patience, ...limits };
  const transport = createTransport({
    url,
    pool: true,
    // At least as many as the queue has jobs at once, so that none waits here while its time runs.
    maxConnections: 6,
    idleTimeout: idleSecondsMax * 1000,
    // Repeating is for the queue, which counts. Once more is for a kept connection that the server had closed meanwhile:
    // the pool does so only while not a byte of the mail is sent, so this doubles none.
    maxRequeues: 1,
    connectionTimeout: connect * 1000,
    greetingTimeout: connect * 1000,
    dnsTimeout: connect * 1000,
    socketTimeout: silence * 1000,
    socketCloseTimeout: farewellSecondsMax * 1000,
    // A mail is made of our own words only: nothing may be read from a file or an address into it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // Each mail and each handshake hears of its own trouble; this is for a connection that none of them uses.
  transport.on("error", () => {});

  const inWords = (error: unknown) => {
    const isSafe = inspect(error) === hidePassword(inspect(error), url);
    throw new Error(describeSmtpError(error, url), isSafe ? { cause: error } : {});
  };

  async function deliver(message: Message): Promise<Delivery> {
    // Holiday notices and the like must not answer a machine (RFC 3834).
    const headers = { "Auto-Submitted": "auto-generated" };
    const signal = AbortSignal.timeout(attempt * 1000);
    return transport.sendMail({ ...message, headers, signal }).catch(inWords);
  }

  return {
    deliver,
    async send(message) {
      await deliver(message);
    },
    async verify() {
      await Promise.race([transport.verify(), late(attempt * 1000)]).catch(inWords);
    },
    close: () => transport.close(),
  };
}

async function late(milliseconds: number): Promise<never> {
  await once(AbortSignal.timeout(milliseconds), "abort");
  throw Object.assign(new Error("The handshake took too long"), { code: "EABORT" });
}
