import { createServer, type Socket } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** The behaviour of one connection. The last script in a list applies to all further connections. */
export interface Script {
  /**
   * Answers the login or this statement and then ends the connection with an error. The answer and the error are in one
   * chunk.
   */
  endsAfter?: "login" | RegExp;
  /** Ends the connection instead of answering this statement. */
  endsAt?: RegExp;
  /** Refuses the login because PostgreSQL is starting up. */
  isStarting?: boolean;
  /** Reports with the login that it is a standby. */
  isStandby?: boolean;
}

/**
 * Starts a server that imitates PostgreSQL until the end of the test. It supports only logins and statements that return no rows. The test
 * decides at which moment the server ends a connection; with a real PostgreSQL that moment depends on chance.
 */
export async function startFakePostgres(scripts: readonly Script[]) {
  const statements: string[][] = [];
  const server = createServer((socket) => {
    const script = scripts[Math.min(statements.length, scripts.length - 1)] ?? {};
    const received: string[] = [];
    statements.push(received);
    serve(socket, script, received);
  });
  const port = await listenOnLoopback(server);

  return {
    port,
    connection: { host: "127.0.0.1", port, user: "owner", password: "secret", database: "site" },
    /** The statements of each connection, in the order of the logins. */
    statements,
  };
}

function serve(socket: Socket, { endsAfter, endsAt, isStarting, isStandby = false }: Script, received: string[]) {
  let unread: Buffer = Buffer.alloc(0);
  let isLoggedIn = false;
  let inTransaction = false;
  let parsed = "";
  const executed: string[] = [];

  /** Answers statements that came in one message or before one `Sync`, all of them in one chunk. */
  function answer(statements: readonly string[], parts: readonly Buffer[]) {
    const done: Buffer[] = [];
    for (const sql of statements) {
      received.push(sql);
      if (endsAt?.test(sql)) return void socket.end(fatal("57P01", "terminating connection"));
      if (/^begin/.test(sql)) inTransaction = true;
      if (/^(commit|rollback)/.test(sql)) inTransaction = false;
      const [word = ""] = sql.trim().toUpperCase().split(/\W/, 1);
      done.push(...parts, message("C", text(word)));
      if (endsAfter instanceof RegExp && endsAfter.test(sql))
        return void socket.end(Buffer.concat([...done, fatal("57P01", "terminating connection")]));
    }
    socket.write(Buffer.concat([...done, ready(inTransaction)]));
  }

  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    if (!isLoggedIn) {
      if (unread.length < 4 || unread.length < unread.readInt32BE(0)) return;
      unread = unread.subarray(unread.readInt32BE(0));
      isLoggedIn = true;
      if (isStarting) return void socket.end(fatal("57P03", "the database system is starting up"));
      const parameter = message("S", Buffer.concat([text("in_hot_standby"), text(isStandby ? "on" : "off")]));
      const greeting = [message("R", Buffer.alloc(4)), parameter, ready(false)];
      if (endsAfter === "login") return void socket.end(Buffer.concat([...greeting, fatal("57P01", "terminating")]));
      socket.write(Buffer.concat(greeting));
    }
    while (unread.length >= 5 && unread.length > unread.readInt32BE(1)) {
      const length = unread.readInt32BE(1);
      const type = String.fromCharCode(unread[0] ?? 0);
      const body = unread.subarray(5, length + 1);
      unread = unread.subarray(length + 1);
      if (type === "Q") answer([textIn(body, 0)], []);
      // A Parse message has the name of the statement before its text; both end with a zero byte.
      if (type === "P") parsed = textIn(body, body.indexOf(0) + 1);
      if (type === "E") executed.push(parsed);
      if (type === "S") answer(executed.splice(0), [message("1"), message("2"), message("n")]);
    }
  });
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function ready(inTransaction: boolean): Buffer {
  return message("Z", Buffer.from(inTransaction ? "T" : "I"));
}

function fatal(code: string, content: string): Buffer {
  return message("E", Buffer.concat([text("SFATAL"), text("VFATAL"), text(`C${code}`), text(`M${content}`), text("")]));
}

function text(content: string): Buffer {
  return Buffer.from(`${content}\0`);
}

function textIn(body: Buffer, from: number): string {
  return body.subarray(from, body.indexOf(0, from)).toString();
}
