/** What a server said, if it is fit to be read: a proxy that answers for a dead one sends a page, or an empty object. */
export function errorMessageOf(message: string | undefined): string | undefined {
  const words = message?.trim();
  return words && !/^[<{]/.test(words) ? words : undefined;
}
