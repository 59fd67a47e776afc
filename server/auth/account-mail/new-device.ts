import { findUserByEmail } from "../users.ts";
import type { MailTemplate } from "./queued-mails.ts";

/** Nothing in it can be used by anybody who is not signed in. */
export const newDeviceMail: MailTemplate = async (db, { siteUrl }, { email, facts }) => {
  const user = await findUserByEmail(db, email);
  return user && { kind: "new-device", to: user.email, link: `${siteUrl}/admin/account`, facts };
};
