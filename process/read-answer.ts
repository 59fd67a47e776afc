/** Far longer than any answer that the server asks for. */
const answerBytesMax = 64 * 1024;

/** Reads the text of another server's answer. Throws at one that is too long: an endless one would fill the memory. */
export async function readAnswer(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error("answered with more than 64 KiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
