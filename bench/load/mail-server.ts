import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { Random } from "./seeded-random.ts";

/** How often each fault happens in 200 mails. */
const faults = {
  "refuses the recipient": 6,
  "refuses the mail": 4,
  "disconnects during the mail": 4,
  "disconnects after the mail": 4,
  "hangs after the mail": 1,
};
type Fault = keyof typeof faults;
const deck = Object.entries(faults).flatMap(([fault, mails]) => Array<Fault>(mails).fill(fault as Fault));

/** One connection in this many gets no greeting. */
const connectionsPerMissingGreeting = 50;

/** An SMTP server. With `random` it sometimes refuses a mail, hangs, or drops the connection. */
export async function startMailServer(random?: Random, host = "127.0.0.1") {
  /** The ids of the contacts that mails announced, with and without a reply to the sender. */
  const announced: string[] = [];
  const faultsSoFar: Record<string, number> = {};
  const sockets = new Map<number, Socket>();
  const faultOf = new Map<string, Fault | undefined>();
  let server = await listen(0);
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${host}:${port}`,
    announced,
    faultsSoFar,
    /** Closes all connections at once, as the end of its process would. */
    async crash() {
      server.server.close();
      for (const socket of sockets.values()) socket.destroy();
      await once(server.server, "close");
    },
    async startAgain() {
      server = await listen(port);
    },
  };

  async function listen(port: number): Promise<SMTPServer> {
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      disabledCommands: ["STARTTLS"],
      onConnect(_session, greet) {
        if (random?.below(connectionsPerMissingGreeting) === 0) note("sends no greeting");
        else greet();
      },
      onMailFrom(_address, session, accept) {
        faultOf.set(session.id, random && deck[random.below(200)]);
        accept();
      },
      onRcptTo(_address, session, accept) {
        accept(happens(session, "refuses the recipient") ? temporaryError("4.2.1 Not now") : null);
      },
      onData: (mail, session, reply) => void receive(mail, session, reply).catch(() => {}),
    });
    // When a connection breaks, the client reports the error. Without a listener it would end this process.
    server.on("error", () => {});
    server.server.on("connection", (socket: Socket) => {
      const port = socket.remotePort ?? 0;
      sockets.set(port, socket);
      socket.on("close", () => sockets.delete(port));
    });
    server.listen(port, host);
    await once(server.server, "listening");
    return server;
  }

  async function receive(mail: SMTPServerDataStream, session: SMTPServerSession, reply: (error?: Error) => void) {
    const disconnect = () => sockets.get(session.remotePort)?.destroy();
    if (happens(session, "disconnects during the mail")) return disconnect();
    // `text` rejects if the connection breaks before the final dot. Such a mail does not count as delivered.
    const raw = await text(mail);
    if (happens(session, "refuses the mail")) return reply(temporaryError("4.3.1 No room just now"));

    // From here on the mail counts as delivered, even if its sender gets no reply. Its Message-ID has the contact's id.
    const [, contactId] = /^Message-ID:\s*<contact\.([0-9a-f-]{36})\./im.exec(raw) ?? [];
    if (contactId) announced.push(contactId);
    if (happens(session, "disconnects after the mail")) return disconnect();
    if (happens(session, "hangs after the mail")) return;
    reply();
  }

  function happens(session: SMTPServerSession, fault: Fault): boolean {
    if (faultOf.get(session.id) !== fault) return false;
    note(fault);
    return true;
  }

  function note(fault: string) {
    faultsSoFar[fault] = (faultsSoFar[fault] ?? 0) + 1;
  }
}

function temporaryError(message: string): Error {
  return Object.assign(new Error(message), { responseCode: 451 });
}
