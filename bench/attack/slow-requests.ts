import { connect } from "node:net";
import { defaultTimeouts } from "#server/http/timeouts";
import { defaultPublicKey } from "#server/settings";
import { newTally, type Tally } from "./tally.ts";

const head = `POST /rest/v1/contacts HTTP/1.1\r\nHost: localhost\r\napikey: ${defaultPublicKey}\r\n`;

/** What a slow client sends at once, and the seconds after which the server must have closed the connection. */
const kinds = [
  { name: "nothing", opening: "", dripping: false, secondsMax: defaultTimeouts.idle + defaultTimeouts.head },
  { name: "half a head", opening: head, dripping: false, secondsMax: defaultTimeouts.head },
  { name: "a head byte by byte", opening: `${head}X-Slow: `, dripping: true, secondsMax: defaultTimeouts.head },
  {
    name: "half a body",
    opening: `${head}Content-Length: 1000\r\n\r\n{`,
    dripping: false,
    secondsMax: defaultTimeouts.body,
  },
  {
    name: "a body byte by byte",
    opening: `${head}Content-Length: 1000\r\n\r\n`,
    dripping: true,
    secondsMax: defaultTimeouts.body,
  },
  {
    name: "chunks byte by byte",
    opening: `${head}Transfer-Encoding: chunked\r\n\r\nffff\r\n`,
    dripping: true,
    secondsMax: defaultTimeouts.body,
  },
];

const byteMilliseconds = 500;
/** Node looks only now and then which limits have passed, and the machine is busy. */
const graceSeconds = 2 * defaultTimeouts.check + 10;

/** Slow clients, some of each kind. The server must close each connection within its limit. */
export async function runSlowRequests(port: number, countOfEach: number, signal: AbortSignal): Promise<Tally> {
  const tally = newTally();
  await Promise.all(
    Array.from({ length: countOfEach }, () => kinds)
      .flat()
      .map(async ({ name, opening, dripping, secondsMax }) => {
        const isClosed = await isClosedWithin(
          port,
          { opening, dripping, secondsMax: secondsMax + graceSeconds },
          signal,
        );
        tally.requests += 1;
        if (isClosed || signal.aborted) return;
        tally.hung += 1;
        tally.problems.push(`Not closed after ${secondsMax + graceSeconds} s: a client that sends ${name}`);
      }),
  );
  return tally;
}

function isClosedWithin(
  port: number,
  { opening, dripping, secondsMax }: { opening: string; dripping: boolean; secondsMax: number },
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.resume();
    socket.write(opening);
    const drip = dripping ? setInterval(() => socket.write("x"), byteMilliseconds) : undefined;
    const settle = (isClosed: boolean) => {
      clearInterval(drip);
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      socket.destroy();
      resolve(isClosed);
    };
    const abort = () => settle(false);
    const limit = setTimeout(settle, secondsMax * 1000, false);
    signal.addEventListener("abort", abort);
    socket.once("close", () => settle(true));
    socket.once("end", () => settle(true));
  });
}
