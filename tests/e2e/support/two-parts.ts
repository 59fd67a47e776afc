import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { siteUrl } from "../../support/site.ts";

/** Serves the site so that what follows the first `boundary` in a file arrives `lateMilliseconds` after the rest. */
export async function serveInTwoParts(boundary: string) {
  const server = createServer(async ({ url = "", headers: { accept = "" } }, response) => {
    const answer = await fetch(siteUrl + url, { headers: { accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ["content-type", "cache-control"]) response.setHeader(name, answer.headers.get(name) ?? "");
    const end = body.indexOf(boundary);
    response.write(body.subarray(0, end));
    setTimeout(() => response.end(body.subarray(end)), end < 0 ? 0 : proxy.lateMilliseconds);
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = { url: `http://localhost:${port}`, lateMilliseconds: 0, close: () => server.close() };
  return proxy;
}
