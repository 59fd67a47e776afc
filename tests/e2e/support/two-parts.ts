import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { siteUrl } from "../../support/site.ts";

/** Serves the site. What follows the first `boundary` of a page is sent when the promise `rest` is fulfilled. */
export async function serveInTwoParts(boundary: string) {
  const server = createServer(async ({ url = "", headers: { accept = "" } }, response) => {
    const answer = await fetch(siteUrl + url, { headers: { accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ["content-type", "cache-control"]) response.setHeader(name, answer.headers.get(name) ?? "");
    if (!answer.headers.get("content-type")?.startsWith("text/html")) return response.end(body);
    const end = body.indexOf(boundary);
    if (end < 0) return response.destroy(new Error(`${url} has no ${boundary}`));
    response.write(body.subarray(0, end));
    await proxy.rest;
    response.end(body.subarray(end));
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = { url: `http://localhost:${port}`, rest: Promise.resolve(), close: () => server.close() };
  return proxy;
}
