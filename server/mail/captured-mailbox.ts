import type { Message } from "./mail-template.ts";

export interface CapturedMail extends Message {
  sent_at: string;
}

/** More than anybody looks at, and bounded: whoever signs up fills it. */
const mailsMax = 200;

/** The mails that were not sent, newest first, until the server ends. */
export class CapturedMailbox {
  #mails: readonly CapturedMail[] = [];

  keep(message: Message) {
    this.#mails = [{ ...message, sent_at: new Date().toISOString() }, ...this.#mails].slice(0, mailsMax);
  }

  get mails(): readonly CapturedMail[] {
    return this.#mails;
  }
}
