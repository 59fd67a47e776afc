/**
 * A real SMTP server on loopback as a process of its own, which can be killed at any moment: all that it did is in the
 * file `--log` before anybody hears of it. With `--moody` it also refuses, hangs and dies in mid-sentence now and then.
 * Ends with whoever started it.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { seededRandom } from "./random.ts";
import type { SmtpEvent } from "./smtp-log.ts";

const { values: given } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    moody: { type: "boolean", default: false },
  },
});

/** How many mails of two hundred are treated otherwise than well. */
const moods = {
  "refuses the recipient": 6,
  "refuses the mail": 4,
  "dies during the mail": 4,
  "dies after the mail": 4,
  "hangs after the mail": 1,
};
type Fate = keyof typeof moods | "takes the mail";

/** One connection of so many is never greeted. */
const silentConnections = 50;

const random = seededRandom(Number(given.seed));
const sockets = new Map<number, Socket>();
const fates = new Map<string, Fate>();
let deck: Fate[] = [];

const server = new SMTPServer({
  authOptional: true,
  logger: false,
  disabledCommands: ["STARTTLS"],
  onConnect(_session, greet) {
    if (given.moody && random.below(silentConnections) === 0) note({ event: "never greets" });
    else greet();
  },
  onMailFrom(_address, session, accept) {
    fates.set(session.id, given.moody ? drawFate() : "takes the mail");
    accept();
  },
  onRcptTo(_address, session, accept) {
    if (fates.get(session.id) !== "refuses the recipient") return accept();
    note({ event: "refuses the recipient" });
    accept(temporarily("4.2.1 Not now"));
  },
  onData: (mail, session, accept) => void take(mail, session, accept).catch(() => {}),
});
// Of a connection that broke: whoever was at its other end tells of it.
server.on("error", () => {});
server.server.on("connection", (socket: Socket) => {
  const port = socket.remotePort ?? 0;
  sockets.set(port, socket);
  socket.on("close", () => sockets.delete(port));
});
server.listen(Number(given.port), "127.0.0.1", () => {
  const address = server.server.address();
  process.stdout.write(`${JSON.stringify(address)}\n`);
});
process.stdin.resume().on("end", () => process.exit(0));

async function take(mail: SMTPServerDataStream, session: SMTPServerSession, accept: (error?: Error | null) => void) {
  const fate = fates.get(session.id) ?? "takes the mail";
  const die = () => sockets.get(session.remotePort)?.destroy();
  if (fate === "dies during the mail") {
    note({ event: fate });
    return die();
  }
  // Rejects if the connection breaks before the final dot: then there is no mail.
  const raw = await text(mail);
  if (fate === "refuses the mail") {
    note({ event: fate });
    return accept(temporarily("4.3.1 No room just now"));
  }

  // From here on the mail has arrived, whether or not its sender comes to know.
  const arrival = randomUUID();
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  note({ event: "takes the mail", arrival, recipients, raw });
  if (fate === "dies after the mail") {
    note({ event: fate });
    return die();
  }
  if (fate === "hangs after the mail") return note({ event: fate });
  accept();
  // The answer is in the system's hands by now, and survives this process.
  note({ event: "answers", arrival });
}

function drawFate(): Fate {
  if (deck.length === 0) {
    const odd = Object.entries(moods).flatMap(([mood, mails]) => Array<Fate>(mails).fill(mood as Fate));
    deck = random.shuffled([...odd, ...Array<Fate>(200 - odd.length).fill("takes the mail")]);
  }
  return deck.pop() ?? "takes the mail";
}

function temporarily(words: string): Error {
  return Object.assign(new Error(words), { responseCode: 451 });
}

function note(event: Omit<SmtpEvent, "at">) {
  if (given.log) appendFileSync(given.log, `${JSON.stringify({ ...event, at: now() })}\n`);
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
