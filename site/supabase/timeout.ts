/**
 * How long a call to the backend may take, from the first byte of the library to the last one of the answer. A person
 * who has waited this long wants to hear that it failed, and a server that answers later is in trouble anyway.
 */
const callMillisecondsMax = 15_000;

/** `fetch` for every request to the backend. The limit covers the body as well: a server may stop in its middle. */
export const fetchWithTimeout: typeof fetch = (input, init) => {
  const limit = new AbortController();
  // An AbortError, because the library tries any other failure of a reading three more times.
  setTimeout(() => limit.abort(), callMillisecondsMax);
  const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
  return fetch(input, { ...init, signal });
};

/**
 * What `work` brings, or undefined once the time is over. The limit of each request is not enough: the library repeats
 * requests, waits as long as a server asks it to, and has to be loaded itself.
 */
export function withTimeout<Value>(
  work: PromiseLike<Value>,
  milliseconds = callMillisecondsMax,
): Promise<Value | undefined> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => done(undefined), milliseconds);
    work.then(done, fail).then(() => clearTimeout(timer));
  });
}
