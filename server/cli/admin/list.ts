import { findAdmins } from "#server/auth/admin-roles";
import type { Work } from "./command.ts";

export async function list(): Promise<Work> {
  return async (owner) => {
    const admins = await findAdmins(owner);
    return admins.length > 0 ? admins.join("\n") : "Nobody can read the contacts yet.";
  };
}
