import { connect } from "node:net";
import { defaultTimeouts } from "#server/http/timeouts";

/** What to send on one connection. */
export interface Attempt {
  parts: readonly Buffer[];
  /**
   * When the exchange is over: "close" if the last request asks the server to close the connection, "answer" if the
   * first answer suffices. After "end" the client closes its side, because the request is incomplete on purpose.
   */
  until: "close" | "answer" | "end";
}

export interface Exchange {
  /** The status codes of all answers, interim answers (1xx) excepted. */
  statuses: readonly number[];
  /** Whether the server neither answered nor closed the connection within its limit. */
  isHung: boolean;
  /** The beginning of the first answer. */
  text: string;
}

/**
 * A complete request that has no answer after this time is hung: our pages wait as long for an answer. A request that
 * the client breaks off may take as long as the server waits for its head and body. The rest is for a busy machine.
 */
const hungSeconds = { complete: 15 + 5, incomplete: defaultTimeouts.head + defaultTimeouts.body + 5 };

/** Only so many bytes of what the server sends are searched for status lines. */
const bytesKept = 256 * 1024;

/**
 * Sends bytes on a connection of their own to 127.0.0.1, and resolves when the server has answered or closed the
 * connection. Rejects only if nobody listens.
 */
export function exchange(port: number, { parts, until }: Attempt, limits = hungSeconds): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    let bytes = 0;
    let isConnected = false;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    const settle = (isHung: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      const text = Buffer.concat(received).toString("latin1");
      resolve({ statuses: statusesIn(text), isHung, text: text.slice(0, 2000) });
    };
    const seconds = until === "end" ? limits.incomplete : limits.complete;
    const limit = setTimeout(settle, seconds * 1000, true);

    socket.once("connect", () => {
      isConnected = true;
      // Corked, so that several requests arrive at once.
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
      if (until === "end") socket.end();
    });
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesKept) received.push(chunk);
      if (until === "answer" && statusesIn(Buffer.concat(received).toString("latin1")).length > 0) settle(false);
    });
    socket.once("end", () => settle(false));
    socket.once("close", () => settle(false));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a large body closes the connection while it is still being sent.
      if (isConnected) return settle(false);
      clearTimeout(limit);
      reject(error);
    });
  });
}

function statusesIn(text: string): number[] {
  const found = text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Za-z' -]+\r\n[A-Za-z-]+: /g);
  return [...found].map(([, status]) => Number(status)).filter((status) => status >= 200);
}
