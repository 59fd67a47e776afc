import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { runAdmin } from "#server/cli/admin/run-admin";
import { sendTest as send } from "#server/cli/admin/send-test";

/** The environment variables without the mail settings. */
const { SMTP_URL: _smtpUrl, MAIL_FROM: _mailFrom, ...inherited } = process.env;
/** No database answers at this DATABASE_URL. */
const noDatabase = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", SITE_URL: "https://site.example" };

let smtp: SMTPServer | undefined;
afterEach(() => new Promise<void>((closed) => (smtp ? smtp.close(closed) : closed())));

/** Runs `npm run admin -- send-test …` in this process. Resolves with the command's output, errors and exit code. */
async function sendTest(to: string, environment: Record<string, string>) {
  const printed = { out: [] as string[], err: [] as unknown[] };
  const code = await runAdmin(["send-test", to], {
    environment: { ...inherited, ...noDatabase, ...environment },
    print: (text) => printed.out.push(text),
    printNote: () => {},
    printError: (error) => printed.err.push(error),
  });
  return { code, out: printed.out.join("\n"), err: printed.err.join("\n") };
}

/** Starts a real SMTP server with one user. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: { from: string; raw: string }[] = [];
  smtp = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === "owl" && password === "h#o" ? done(null, { user: "owl" }) : done(new Error("No such owl")),
    async onData(stream, { envelope }, done) {
      mails.push({ from: envelope.mailFrom ? envelope.mailFrom.address : "", raw: await text(stream) });
      done(null, "2.0.0 queued as 4711");
    },
    ...options,
  });
  smtp.on("error", () => {});
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  return { mails, server: `127.0.0.1:${(smtp.server.address() as AddressInfo).port}` };
}

test("`npm run admin -- send-test` sends one mail and prints the mail server's response", async () => {
  const { mails, server } = await startSmtp();
  const { code, out, err } = await sendTest("ida@example.com", {
    SMTP_URL: `smtp://owl:h%23o@${server}`,
    MAIL_FROM: "Owls <owls@site.example>",
  });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(`The mail server ${server} accepted the email.`);
  expect(out).toContain("answer      250 2.0.0 queued as 4711");
  expect(out).toContain("accepted    ida@example.com");

  expect(mails).toEqual([{ from: "owls@site.example", raw: expect.stringContaining("To: ida@example.com") }]);
  const [, id = "none"] = out.match(/message id {2}(<.*>)$/m) ?? [];
  expect(mails[0]?.raw).toContain(`Message-ID: ${id}`);
  expect(mails[0]?.raw).toContain("https://site.example");
});

test("`npm run admin -- send-test` reports a refused mail server login without the password", async () => {
  const { mails, server } = await startSmtp();
  expect(await sendTest("ida@example.com", { SMTP_URL: `smtp://owl:wr0ng@${server}` })).toEqual({
    code: 1,
    out: "",
    err: `The mail server ${server} refused the user name or password of SMTP_URL: 535 No such owl`,
  });
  expect(mails).toEqual([]);
});

test("`npm run admin -- send-test` sends no password without encryption, unless SMTP_ALLOW_PLAIN is on", async () => {
  const { mails, server } = await startSmtp();
  const SMTP_URL = `smtp://owl:h%23o@${server.replace("127.0.0.1", "0.0.0.0")}`;
  const { code, err } = await sendTest("ida@example.com", { SMTP_URL });
  expect([code, err]).toEqual([1, expect.stringMatching(/^The mail server .* does not encrypt .*SMTP_ALLOW_PLAIN=on/)]);
  expect(mails).toEqual([]);
  expect(await sendTest("ida@example.com", { SMTP_URL, SMTP_ALLOW_PLAIN: "on" })).toMatchObject({ code: 0, err: "" });
  expect(mails).toHaveLength(1);
});

test("`npm run admin -- send-test` reports a missing SMTP_URL and an invalid email address", async () => {
  expect(await sendTest("ida@example.com", {})).toEqual({
    code: 1,
    out: "",
    err: "SMTP_URL is not set, so no email can be sent: set it to smtps://user:password@host first.",
  });
  const settings = {
    smtpUrl: "smtp://127.0.0.1:1",
    smtpAllowPlain: false,
    mailFrom: undefined,
    siteUrl: "https://site.example",
  };
  for (const to of ["ida", "ida@example.com,bo@example.com", "Ida <ida@example.com>"]) {
    await expect(send(to, settings)).rejects.toThrow(`${to} is not an email address.`);
  }
});
