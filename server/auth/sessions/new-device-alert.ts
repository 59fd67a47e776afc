import type { ClientBase } from "pg";
import { queueAccountMail } from "../account-mail/queued-mails.ts";
import type { User } from "../users.ts";
import { deviceNameOf } from "./device-name.ts";
import { hasKnown, isKnown } from "./known-devices.ts";
import type { clientOf } from "./sessions.ts";

/**
 * Before the sign-in makes it familiar: tells the owner of a browser or system that this account was never used with. Of
 * the first sign-in nobody needs to hear, and no new version or network is a new device: a mail that comes often is not
 * read. So somebody with the same browser on the same system as the owner goes unnoticed.
 */
export async function alertAboutNewDevice(db: ClientBase, user: User, place: ReturnType<typeof clientOf>, now: Date) {
  const device = deviceNameOf(place.userAgent);
  if (!(await hasKnown(db, user.id, "device", now))) return;
  if (await isKnown(db, user.id, "device", device, now)) return;

  const facts = [
    ["Device", device],
    ["Internet address", place.ip],
    ["Time", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ] as const;
  await queueAccountMail(db, { kind: "new-device", email: user.email, facts, redirectTo: "", askedAt: now });
}
