import { findAdmins } from "#server/auth/admin-roles";
import type { CommandWork } from "./command.ts";

export async function list(): Promise<CommandWork> {
  return async (owner) => {
    const admins = await findAdmins(owner);
    return admins.length > 0 ? admins.join("\n") : "Nobody can read the contacts yet.";
  };
}
