import type { Work } from "./order.ts";
import { findAdmins } from "./role.ts";

export async function list(): Promise<Work> {
  return async (owner) => {
    const admins = await findAdmins(owner);
    return admins.length > 0 ? admins.join("\n") : "Nobody can read the contacts yet.";
  };
}
