import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Calls `close` once: at the end of the test that calls this, or of the file if no test runs yet, or earlier if the test
 * calls what is returned. What was begun last ends first. A hook `beforeAll` cannot call this: Vitest would forget it.
 */
export function onFinished(close: () => unknown): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const end = () => (closed ??= Promise.resolve(close()).then(() => {}));
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
  return end;
}
