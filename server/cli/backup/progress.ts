const pauseMilliseconds = 1000;

/** Prints what is being done, at most once a second; a command that ends sooner prints nothing. */
export function createProgress(printError: (text: string) => void): (doing: string, rows: number) => void {
  let printedAt = performance.now();
  return (doing, rows) => {
    if (performance.now() - printedAt < pauseMilliseconds) return;
    printedAt = performance.now();
    printError(rows > 0 ? `  ${doing}: ${rows.toLocaleString("en-GB")} rows` : `  ${doing}`);
  };
}
