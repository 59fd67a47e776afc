import { smtpTransport } from "./smtp.ts";

/**
 * Says once whether the mail server of `url` is ready, so that a wrong password is heard of at the start and not with
 * the first contact. It shakes hands only. Never rejects: nothing else waits for the mail server.
 */
export async function checkSmtp(url: string, log: { info(line: string): void; error(line: string): void }) {
  const smtp = smtpTransport(url);
  await smtp.verify().then(
    () => log.info(`The mail server ${new URL(url).host} is ready.`),
    (error: Error) => log.error(`${error.message} Mails wait in the queue until it is ready.`),
  );
  smtp.close();
}
