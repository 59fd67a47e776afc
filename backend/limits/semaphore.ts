/** Runs at most this many pieces of work at once. The others wait in turn. */
export class Semaphore {
  readonly #runningMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number) {
    this.#runningMax = runningMax;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Whether the next one would wait behind this many others. */
  isFull(waitingMax: number): boolean {
    return this.#running >= this.#runningMax && this.#waiting.length >= waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#runningMax) this.#running += 1;
    else await new Promise<void>((start) => this.#waiting.push(start));
    try {
      return await work();
    } finally {
      // Pass the place straight to the next one, so that a new caller cannot overtake the queue.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
