import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mailboxKeyFile } from "#server/mail/dev-mailbox";

/** The path of the captured mails of the server that runs on `dataDir`, with the key of its last start. */
export async function devMailPath(dataDir: string) {
  return `/dev/mail.json?key=${await readFile(join(dataDir, mailboxKeyFile), "utf8")}`;
}
