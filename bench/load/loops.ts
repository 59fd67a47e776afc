import { setTimeout as pause } from "node:timers/promises";

/** Sends each at its planned time, which `send` gets, whether or not the earlier ones are answered. */
export function openLoop<T>(count: number, perSecond: number, send: (planned: number) => Promise<T>): Promise<T[]> {
  const begin = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const planned = begin + (number * 1000) / perSecond;
      await pause(Math.max(0, planned - performance.now()));
      return send(planned);
    }),
  );
}

/** Does `work` again and again, so many at once, and resolves with how often it was done each second. */
export async function closedLoop(atOnce: number, seconds: number, work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let done = 0;
  const repeat = async () => {
    for (; performance.now() < end; done++) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  return (1000 * done) / (performance.now() - begin);
}
