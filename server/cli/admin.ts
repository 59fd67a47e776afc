import { parseArgs } from "node:util";
import { StartError } from "../database/start-error.ts";
import { Refusal } from "../refusal.ts";
import { readSettings, SettingsError } from "../settings.ts";
import { CommandError } from "./admin/command-error.ts";
import { create } from "./admin/create.ts";
import { openForCommand } from "./admin/database.ts";
import { grant } from "./admin/grant.ts";
import { invite } from "./admin/invite.ts";
import { list } from "./admin/list.ts";
import { resetPassword } from "./admin/reset-password.ts";
import { revoke } from "./admin/revoke.ts";
import { sendTest } from "./admin/send-test.ts";

/** `npm run admin -- …`: who may read the contacts. Works whether the server runs or not. */
const usage = `Usage:
  npm run admin -- create you@example.com [--admin] [--password-stdin]   a confirmed account
  npm run admin -- invite you@example.com [--admin]                      a mail, and who follows it chooses a password
  npm run admin -- grant you@example.com                                 may read the contacts from now on
  npm run admin -- revoke you@example.com                                may not any more
  npm run admin -- list                                                  who may
  npm run admin -- reset-password you@example.com [--password-stdin]     a new password; signs out everywhere
  npm run admin -- send-test you@example.com                             one mail, and what the mail server answers`;

const commands = new Map([
  ["create", create],
  ["invite", invite],
  ["grant", grant],
  ["revoke", revoke],
  ["list", list],
  ["reset-password", resetPassword],
]);

await run().catch((error: unknown) => {
  // What an operator can mend is one sentence; anything else is a bug and shows where it is.
  const isPlain = [CommandError, Refusal, StartError, SettingsError].some((kind) => error instanceof kind);
  console.error(isPlain ? (error as Error).message : error);
  process.exitCode = 1;
});

async function run() {
  const { name, ...order } = readOrder();
  // The one command that must work while there is no database.
  if (name === "send-test" && order.email) return console.log(await sendTest(order.email, readSettings()));

  const command = commands.get(name);
  if (!command || (order.email === undefined) !== (command === list)) throw new CommandError(usage);

  const settings = readSettings();
  const work = await command({ ...order, settings });
  const database = await openForCommand(settings);
  try {
    console.log(await work(database.owner));
  } finally {
    await database.close();
  }
}

function readOrder() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { admin: { type: "boolean", default: false }, "password-stdin": { type: "boolean", default: false } },
    });
    const [name = "", email, ...rest] = positionals;
    if (rest.length > 0) throw new CommandError(usage);
    return { name, email, admin: values.admin, passwordFromStdin: values["password-stdin"] };
  } catch {
    throw new CommandError(usage);
  }
}
