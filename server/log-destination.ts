interface Output {
  write(text: string): unknown;
}

/**
 * A destination for pino that writes the lines of one turn of the event loop at once: a system call for each request
 * costs a sixth of a page from memory. No line is lost when the process exits, not even after an uncaught error.
 *
 * It writes to `process.stdout`, which reports a failed write as an event. pino's own buffered destination repeats the
 * last write for ever when the disk is full, so that the server could not be stopped.
 */
export function logDestination(output: Output, exit: NodeJS.EventEmitter = process): Output {
  let lines = "";
  const write = () => {
    if (lines === "") return;
    output.write(lines);
    lines = "";
  };
  exit.on("exit", write);
  return {
    write(line: string) {
      if (lines === "") setImmediate(write);
      lines += line;
    },
  };
}
