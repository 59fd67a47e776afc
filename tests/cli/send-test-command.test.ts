import { expect, test } from "vitest";
import { sendTest as send } from "#operations/commands/admin/send-test";
import { readSettings } from "#server/settings";
import { admin } from "#tests/support/run-command";
import { startSmtp } from "#tests/support/smtp-server";

/** No database answers at this DATABASE_URL. */
const noDatabase = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", SITE_URL: "https://site.example" };

const sendTest = (to: string, environment: Record<string, string> = {}) =>
  admin(`send-test ${to}`, { environment: { ...noDatabase, ...environment } });

/** Starts an SMTP server with one user. */
async function startServer() {
  const smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === "owl" && password === "h#o" ? done(null, { user: "owl" }) : done(new Error("No such owl")),
  });
  return { mails: smtp.received, server: new URL(smtp.url).host };
}

test("`npm run admin -- send-test` sends one mail and prints the mail server's response", async () => {
  const { mails, server } = await startServer();
  const { code, out, err } = await sendTest("ida@example.com", {
    SMTP_URL: `smtp://owl:h%23o@${server}`,
    MAIL_FROM: "Owls <owls@site.example>",
  });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(`The mail server ${server} accepted the email.`);
  expect(out).toContain("answer      250 2.0.0 queued as 4711");
  expect(out).toContain("accepted    ida@example.com");

  expect(mails).toMatchObject([{ from: "owls@site.example", to: "ida@example.com" }]);
  const [, id = "none"] = out.match(/message id {2}(<.*>)$/m) ?? [];
  expect(mails[0]?.raw).toContain(`Message-ID: ${id}`);
  expect(mails[0]?.raw).toContain("https://site.example");
});

test("`npm run admin -- send-test` reports a missing SMTP_URL and an invalid email address", async () => {
  expect(await sendTest("ida@example.com", {})).toEqual({
    code: 1,
    out: "",
    err: "SMTP_URL is not set, so no email can be sent: set it to smtps://user:password@host first.",
  });
  const settings = readSettings({ SMTP_URL: "smtp://127.0.0.1:1" });
  for (const email of ["ida", "ida@example.com,bo@example.com", "Ida <ida@example.com>"]) {
    await expect(send({ email, settings })).rejects.toThrow(`${email} is not an email address.`);
  }
});
