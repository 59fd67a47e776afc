import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import type { SMTPServerOptions } from "smtp-server";
import { describe, expect, test } from "vitest";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { onFinished } from "#tests/support/on-finished";
import { startSmtp as startServer } from "#tests/support/smtp-server";
import { checkSmtp, smtpTransport } from "./smtp.ts";

const mail = {
  to: "ida@example.com",
  from: { name: "Owls", address: "owls@example.com" },
  subject: "Hoo",
  text: "Hoo",
  html: "<p>Hoo</p>",
};

/** The host of an SMTP server, by default without TLS. */
const startSmtp = async (options?: SMTPServerOptions) => new URL((await startServer(options)).url).host;

function transport(...parameters: Parameters<typeof smtpTransport>) {
  const made = smtpTransport(...parameters);
  onFinished(made.close);
  return made;
}

/**
 * Starts a server that answers a received line with the first of `answers` that matches the line. If none matches, it
 * does not answer.
 */
async function startScript(
  answers: [line: RegExp, answer: string | ((socket: Socket) => void)][],
  greeting = "220 hoo",
) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    if (greeting) socket.write(`${greeting}\r\n`);
    socket.on("data", (chunk) => {
      const [, answer] = answers.find(([line]) => line.test(chunk.toString())) ?? [];
      if (typeof answer === "function") answer(socket);
      else if (answer) socket.write(`${answer}\r\n`);
    });
  });
  return { server: `127.0.0.1:${await listenOnLoopback(server)}`, sockets };
}

const accepting: [RegExp, string][] = [
  [/^EHLO/, "250 hoo"],
  [/^MAIL|^RCPT/, "250 ok"],
  [/^DATA/, "354 go on"],
];

test("the greeting is the site's domain; an address or a name without a dot is left to the library", async () => {
  const greetings: string[] = [];
  const server = await startSmtp({
    onMailFrom(_address, { hostNameAppearsAs }, done) {
      greetings.push(hostNameAppearsAs);
      done();
    },
  });
  for (const siteUrl of ["https://site.example", "https://bücher.example:8443", "http://192.0.2.1", "http://[::1]"])
    await transport(`smtp://${server}`, { siteUrl }).send(mail);
  await transport(`smtp://${server}?name=mail.example`, { siteUrl: "https://site.example" }).send(mail);
  const [site, unicode, ...others] = greetings;
  expect([site, unicode, others.pop()]).toEqual(["site.example", "xn--bcher-kva.example", "mail.example"]);
  for (const other of others) expect(other).toMatch(/^\[127\.0\.0\.1\]$|\../);
});

test("a recipient is one address, whatever stands in it", async () => {
  const recipients: string[] = [];
  const server = await startSmtp({
    onRcptTo({ address }, _session, done) {
      recipients.push(address);
      done();
    },
  });
  await transport(`smtp://${server}`)
    .send({ ...mail, to: "ida:bo@example.com" })
    .catch(() => {});
  expect(recipients).not.toContain("bo@example.com");
});

test("mails share one SMTP connection; no mail is lost if the mail server closes the connection", async () => {
  let mails = 0;
  const { server, sockets } = await startScript([
    [/\.\r\n$/, (socket) => socket.write(`250 this is mail ${++mails}\r\n`)],
    [
      /^MAIL/,
      (socket) => (mails === 2 && sockets.length === 1 ? socket.end("421 idle\r\n") : socket.write("250 ok\r\n")),
    ],
    ...accepting,
  ]);
  const { send } = transport(`smtp://${server}`);
  const answers = [await send(mail), await send(mail), await send(mail)].map(({ response }) => response);
  expect(answers).toEqual(["250 this is mail 1", "250 this is mail 2", "250 this is mail 3"]);
  expect(sockets).toHaveLength(2);
});

test("the next mail uses a new connection if the mail server resets the idle connection", async () => {
  const { server, sockets } = await startScript([[/\.\r\n$/, "250 taken"], ...accepting]);
  const { send } = transport(`smtp://${server}`);
  await send(mail);
  const [kept] = sockets;
  if (!kept) throw new Error("No connection was kept.");
  const ended = once(kept, "close");
  kept.resetAndDestroy();
  await ended;
  expect(await send(mail)).toMatchObject({ response: "250 taken" });
  expect(sockets).toHaveLength(2);
});

test("`send` rejects and does not retry a mail that the mail server may have accepted", async () => {
  let mails = 0;
  const dies = (socket: Socket) => (++mails === 2 ? socket.destroy() : socket.write("250 ok\r\n"));
  const { server } = await startScript([[/\.\r\n$/, dies], ...accepting]);
  const { send } = transport(`smtp://${server}`);
  await send(mail);
  await expect(send(mail)).rejects.toThrow("closed the connection midway");
  expect(mails).toBe(2);
});

describe("the error for a mail that the mail server did not accept", () => {
  const sendTo = (url: string, limits = {}) => transport(url, limits).send(mail);

  test("names the host and the cause if the mail server cannot be reached", async () => {
    await expect(sendTo("smtp://127.0.0.1:1")).rejects.toThrow(
      "The mail server 127.0.0.1:1 could not be reached: connection refused.",
    );
    await expect(sendTo("smtp://nobody.invalid")).rejects.toThrow(
      /^The mail server nobody\.invalid could not be reached: .*name/,
    );
  });

  test.each<[string, ...Parameters<typeof startScript>, limits?: object]>([
    [
      "accepted the connection but never answered (if it expects TLS from the start, write smtps:// in SMTP_URL).",
      [],
      "",
      { connect: 0.3 },
    ],
    ["said something unexpected: 554 5.7.1 go away", [], "554 5.7.1 go\taway"],
    ["stopped answering in the middle of the conversation.", accepting, undefined, { silence: 0.3 }],
    ["closed the connection midway.", [[/EHLO/, (socket) => socket.end("25")]]],
  ])("says that the mail server %s", async (says, answers, greeting, limits) => {
    const { server, sockets } = await startScript(answers, greeting);
    await expect(sendTo(`smtp://${server}`, limits)).rejects.toThrow(`The mail server ${server} ${says}`);
    expect(sockets).toHaveLength(1);
  });

  test("reports a timeout during an endless response, and the connection is closed", async () => {
    const { server, sockets } = await startScript([
      [
        /^EHLO/,
        (socket) => {
          const talking = setInterval(() => socket.write("250-hoo\r\n"), 20);
          socket.on("close", () => clearInterval(talking));
        },
      ],
    ]);
    await expect(sendTo(`smtp://${server}`, { attempt: 0.4 })).rejects.toThrow(
      `The mail server ${server} did not accept the email in time.`,
    );
    const [socket] = sockets;
    if (!socket?.destroyed) await once(socket as Socket, "close");
    await expect(transport(`smtp://${server}`, { attempt: 0.4 }).verify()).rejects.toThrow("in time");
  });

  test("names what was refused (recipient, sender or mail) and quotes the mail server", async () => {
    const no = (words: string) => Object.assign(new Error(words), { responseCode: 550 });
    const recipient = await startSmtp({ onRcptTo: (_address, _session, done) => done(no("No such owl")) });
    await expect(sendTo(`smtp://${recipient}`)).rejects.toThrow(
      `The mail server ${recipient} refused the recipient ida@example.com: 550 No such owl`,
    );
    const sender = await startSmtp({ onMailFrom: (_address, _session, done) => done(no("Not your domain")) });
    await expect(sendTo(`smtp://${sender}`)).rejects.toThrow(
      `The mail server ${sender} refused the sender of MAIL_FROM: 550 Not your domain`,
    );
    const content = await startSmtp({
      async onData(stream, _session, done) {
        await text(stream);
        done(no("Smells of mice"));
      },
    });
    await expect(sendTo(`smtp://${content}`)).rejects.toThrow(
      `The mail server ${content} refused the email: 550 Smells of mice`,
    );
  });

  test("hides the SMTP_URL password even if the mail server's response contains the password", async () => {
    const server = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        const plain = Buffer.from(`\0${username}\0${password}`).toString("base64");
        done(Object.assign(new Error(`5.7.8 "${password}" or ${plain}?`), { responseCode: 535 }));
      },
    });
    const error: unknown = await sendTo(`smtp://owl:p%40ss%21word@${server}`).catch((refused) => refused);
    expect((error as Error).message).toBe(
      `The mail server ${server} refused the user name or password of SMTP_URL: 535 5.7.8 "(hidden)" or (hidden)?`,
    );
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toMatch(/p@ss|p%40ss|AG93bAB/);
    await expect(sendTo(`smtp://owl:p%40ss%@${server}`)).rejects.toThrow('535 5.7.8 "(hidden)" or (hidden)?');
    await expect(sendTo(`smtp://owl@${server}`)).rejects.toThrow(
      `The mail server ${server} asks for a password, and SMTP_URL has none.`,
    );
  });

  test("sends no password over a network without encryption, unless that is allowed", async () => {
    const passwords: unknown[] = [];
    const onAuth: SMTPServerOptions["onAuth"] = ({ password }, _session, done) => {
      passwords.push(password);
      done(null, { user: "owl" });
    };
    const onLoopback = await startSmtp({ authOptional: false, allowInsecureAuth: true, onAuth });
    // This address is not a loopback address, but leads to this machine.
    const server = onLoopback.replace("127.0.0.1", "0.0.0.0");
    for (const query of ["", "?requireTLS=false", "?ignoreTLS=true"]) {
      await expect(sendTo(`smtp://owl:hoo@${server}${query}`)).rejects.toThrow(
        `The mail server ${server} does not encrypt the connection, so no password or email was sent (use smtps:// or another port in SMTP_URL, or set SMTP_ALLOW_PLAIN=on): 500 `,
      );
    }
    const { server: old } = await startScript([
      [/^EHLO/, "502 what?"],
      [/^HELO/, "250 hoo"],
    ]);
    await expect(sendTo(`smtp://owl:hoo@${old.replace("127.0.0.1", "0.0.0.0")}`)).rejects.toThrow("does not encrypt");
    expect(passwords).toEqual([]);

    await sendTo(`smtp://owl:hoo@${server}`, { allowPlain: true });
    await sendTo(`smtp://owl:hoo@${onLoopback}`);
    expect(passwords).toEqual(["hoo", "hoo"]);
  });

  test("says if the mail server's certificate has expired or the mail server has no TLS", async () => {
    // The certificate that the package smtp-server contains has expired, and its host name does not exist.
    const startsTls = await startSmtp({ disabledCommands: [] });
    await expect(sendTo(`smtp://${startsTls}`)).rejects.toThrow(
      `The mail server ${startsTls} could not be trusted: its certificate has expired.`,
    );
    const secure = await startSmtp({ secure: true });
    await expect(sendTo(`smtps://${secure}`)).rejects.toThrow(
      `The mail server ${secure} could not be trusted: its certificate has expired.`,
    );
    const plain = await startSmtp();
    await expect(sendTo(`smtps://${plain}`)).rejects.toThrow(
      `The mail server ${plain} could not be reached: it does not offer TLS on this port, or no version that we support.`,
    );
  });
});

test("the check at startup connects and signs in, but sends no mail", async () => {
  const commands: string[] = [];
  const server = await startSmtp({
    onAuth: ({ username }, _session, done) => {
      commands.push("AUTH");
      done(null, { user: username });
    },
    allowInsecureAuth: true,
    onMailFrom: (_address, _session, done) => {
      commands.push("MAIL");
      done();
    },
  });
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  await checkSmtp(`smtp://owl:hoo@${server}`, log);
  expect([lines, commands]).toEqual([[`The mail server ${server} is ready.`], ["AUTH"]]);
});
