import { connect } from "node:net";

export interface Exchange {
  /** The status code of the answer, or 0 if the server closed the connection without one. */
  status: number;
  /** Whether the server neither answered nor closed the connection within the limit. */
  isHung: boolean;
  /** The beginning of the answer. */
  text: string;
}

/** Our pages wait 15 seconds for an answer. The rest is for a busy machine. */
const hungSeconds = 15 + 5;

/**
 * Sends the bytes of a request on a connection of their own to 127.0.0.1, and resolves when the server has answered or
 * closed the connection. A client that parses HTTP would not send such bytes. Rejects only if no server listens.
 */
export function exchange(port: number, request: Buffer, limitSeconds = hungSeconds): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(request));
    const settle = (isHung: boolean) => {
      clearTimeout(limit);
      socket.destroy();
      resolve({ status: statusIn(text), isHung, text: text.slice(0, 2000) });
    };
    const limit = setTimeout(settle, limitSeconds * 1000, true);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (statusIn(text) > 0) settle(false);
    });
    socket.once("close", () => settle(false));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a large body closes the connection while it is still being sent.
      if (error.code !== "ECONNREFUSED") return settle(false);
      clearTimeout(limit);
      reject(error);
    });
  });
}

/** Interim answers (1xx) do not count. */
function statusIn(text: string): number {
  return Number(/HTTP\/1\.1 ([2-5]\d\d) [A-Za-z' -]+\r\n[A-Za-z-]+: /.exec(text)?.[1] ?? 0);
}
