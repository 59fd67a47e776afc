/**
 * The longest time for a call to the backend, from loading the library to the last byte of the answer
 * (docs/specification.md#time-limit-of-a-call).
 */
const callMillisecondsMax = 15_000;

/** Sends every request to the backend. The limit includes the body, because a server can stop in the middle of it. */
export const fetchWithTimeout: typeof fetch = (input, init) => {
  const timeout = new AbortController();
  // An aborted request fails with an AbortError. After any other failure the library would retry a GET three times.
  setTimeout(() => timeout.abort(), callMillisecondsMax);
  // No call has a signal of its own.
  return fetch(input, { ...init, signal: timeout.signal });
};

/**
 * Returns the result of `work`, or undefined after the time limit. A limit for each request is not enough: the library
 * repeats requests, obeys Retry-After, and has to be loaded itself.
 */
export function withTimeout<Value>(
  work: PromiseLike<Value>,
  milliseconds = callMillisecondsMax,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
