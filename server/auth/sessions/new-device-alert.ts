import type { ClientBase } from "pg";
import { orderMail } from "../account-mail/queued-mails.ts";
import type { User } from "../users.ts";
import { deviceOf } from "./device-name.ts";
import { hasFamiliar, isFamiliar } from "./known-devices.ts";
import type { placeOf } from "./sessions.ts";

/**
 * Before the sign-in makes it familiar: tells the owner of a browser or system that this account was never used with. Of
 * the first sign-in nobody needs to hear, and no new version or network is a new device: a mail that comes often is not
 * read. So somebody with the same browser on the same system as the owner goes unnoticed.
 */
export async function noticeDevice(db: ClientBase, user: User, place: ReturnType<typeof placeOf>, now: Date) {
  const device = deviceOf(place.userAgent);
  if (!(await hasFamiliar(db, user.id, "device", now))) return;
  if (await isFamiliar(db, user.id, "device", device, now)) return;

  const facts = [
    ["Device", device],
    ["Internet address", place.ip],
    ["Time", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ] as const;
  await orderMail(db, { kind: "new-device", email: user.email, facts, redirectTo: "", askedAt: now });
}
