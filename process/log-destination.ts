import { symbols } from "pino";

interface Output {
  write(text: string): unknown;
  /** How many bytes wait in memory. */
  writableLength?: number;
}

const warning = 40;

/** How long a line may wait for others. */
const waitMilliseconds = 10;

/** About a minute of a thousand requests a second. */
const waitingBytesMax = 16 * 2 ** 20;

/**
 * A destination for pino that writes the lines of ten milliseconds at once: a system call for each request is a notable
 * part of a page from memory. A warning or an error is written immediately, with the lines before it, and the last lines
 * are written when the process exits. If the reader of a pipe is more than 64 KiB behind, what it has not yet taken waits in
 * memory, so that a stalled reader does not stop the server, and is lost at the exit. Beyond `waitingBytesMax` lines are left
 * out, and the next line that is written tells how many.
 *
 * It writes to `process.stdout`, which reports a failed write as an event. pino's own buffered destination repeats the
 * last write for ever when the disk is full, so that the server could not be stopped.
 */
export function logDestination(output: Output, exit: NodeJS.EventEmitter = process) {
  let lines = "";
  let count = 0;
  let leftOut = 0;
  const flush = () => {
    if (lines === "") return;
    if ((output.writableLength ?? 0) > waitingBytesMax) leftOut += count;
    else {
      const msg = `${leftOut} lines of the log were left out: its reader had stopped.`;
      output.write(leftOut > 0 ? `${JSON.stringify({ level: warning, time: Date.now(), msg })}\n${lines}` : lines);
      leftOut = 0;
    }
    lines = "";
    count = 0;
  };
  exit.on("exit", flush);
  return {
    /** With this symbol pino sets `lastLevel` before it writes a line. */
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      if (lines === "") setTimeout(flush, waitMilliseconds).unref();
      lines += line;
      count += 1;
      if (this.lastLevel >= warning) flush();
    },
  };
}
