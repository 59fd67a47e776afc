/**
 * An SMTP server on loopback. It is a separate process, so that it can be killed at any moment. It appends each event
 * to the file `--log` before it replies. With `--faulty` it sometimes refuses a mail, hangs, or drops the connection
 * during a mail. It ends when its standard input closes, so it never outlives the process that started it.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { seededRandom } from "../load/seeded-random.ts";
import type { SmtpEvent } from "./smtp-log.ts";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    faulty: { type: "boolean", default: false },
  },
});

/** With `--faulty`: how often each fault happens in 200 mails. */
const faults = {
  "refuses the recipient": 6,
  "refuses the mail": 4,
  "disconnects during the mail": 4,
  "disconnects after the mail": 4,
  "hangs after the mail": 1,
};
type Behaviour = keyof typeof faults | "accepts the mail";

/** With `--faulty`, one connection in this many gets no greeting. */
const connectionsPerMissingGreeting = 50;

const random = seededRandom(Number(options.seed));
const sockets = new Map<number, Socket>();
const behaviours = new Map<string, Behaviour>();
let deck: Behaviour[] = [];

const server = new SMTPServer({
  authOptional: true,
  logger: false,
  disabledCommands: ["STARTTLS"],
  onConnect(_session, greet) {
    if (options.faulty && random.below(connectionsPerMissingGreeting) === 0) log({ event: "sends no greeting" });
    else greet();
  },
  onMailFrom(_address, session, accept) {
    behaviours.set(session.id, options.faulty ? drawBehaviour() : "accepts the mail");
    accept();
  },
  onRcptTo(_address, session, accept) {
    if (behaviours.get(session.id) !== "refuses the recipient") return accept();
    log({ event: "refuses the recipient" });
    accept(temporaryError("4.2.1 Not now"));
  },
  onData: (mail, session, accept) => void receive(mail, session, accept).catch(() => {}),
});
// When a connection breaks, the client reports the error. Without a listener here the error would end this process.
server.on("error", () => {});
server.server.on("connection", (socket: Socket) => {
  const port = socket.remotePort ?? 0;
  sockets.set(port, socket);
  socket.on("close", () => sockets.delete(port));
});
server.listen(Number(options.port), "127.0.0.1", () => {
  const address = server.server.address();
  process.stdout.write(`${JSON.stringify(address)}\n`);
});
process.stdin.resume().on("end", () => process.exit(0));

async function receive(mail: SMTPServerDataStream, session: SMTPServerSession, reply: (error?: Error | null) => void) {
  const behaviour = behaviours.get(session.id) ?? "accepts the mail";
  const disconnect = () => sockets.get(session.remotePort)?.destroy();
  if (behaviour === "disconnects during the mail") {
    log({ event: behaviour });
    return disconnect();
  }
  // `text` rejects if the connection breaks before the final dot. Such a mail does not count as delivered.
  const raw = await text(mail);
  if (behaviour === "refuses the mail") {
    log({ event: behaviour });
    return reply(temporaryError("4.3.1 No room just now"));
  }

  // From here on the mail counts as delivered, even if its sender gets no reply.
  const mailId = randomUUID();
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  log({ event: "receives the mail", mailId, recipients, raw });
  if (behaviour === "disconnects after the mail") {
    log({ event: behaviour });
    return disconnect();
  }
  if (behaviour === "hangs after the mail") return log({ event: behaviour });
  reply();
  // The kernel has the reply by now and sends it even if this process is killed.
  log({ event: "confirms", mailId });
}

function drawBehaviour(): Behaviour {
  if (deck.length === 0) {
    const faulty = Object.entries(faults).flatMap(([fault, mails]) => Array<Behaviour>(mails).fill(fault as Behaviour));
    deck = random.shuffled([...faulty, ...Array<Behaviour>(200 - faulty.length).fill("accepts the mail")]);
  }
  return deck.pop() ?? "accepts the mail";
}

function temporaryError(message: string): Error {
  return Object.assign(new Error(message), { responseCode: 451 });
}

function log(event: Omit<SmtpEvent, "at">) {
  const at = performance.timeOrigin + performance.now();
  if (options.log) appendFileSync(options.log, `${JSON.stringify({ ...event, at })}\n`);
}
