import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Asset } from "./assets.ts";
import { answerContactForm, type SaveContact } from "./contact-form.ts";
import { sendNotFound } from "./error-page.ts";
import { sendAsset } from "./send-asset.ts";

export interface PagesOptions {
  assets: ReadonlyMap<string, Asset>;
  saveContact: SaveContact;
}

/** No form of ours comes near this, and a larger body is refused before it is read. */
const formBytesMax = 32 * 1024;

/** Pages that exist to be answered with another status, never asked for by their own address. */
const inner: ReadonlySet<string> = new Set(["/404", "/error"]);

/** The built pages at their addresses, and the form without JavaScript. */
export async function pageRoutes(app: FastifyInstance, { assets, saveContact }: PagesOptions) {
  app.register(formbody, { bodyLimit: formBytesMax });

  app.get("/contact", (_request, reply) => reply.redirect("/#contact", 303));
  app.post("/contact", { bodyLimit: formBytesMax }, (request, reply) =>
    answerContactForm(assets, saveContact, request, reply),
  );
  app.get("/*", (request, reply) => sendPage(assets, request, reply));
}

function sendPage(assets: ReadonlyMap<string, Asset>, request: FastifyRequest, reply: FastifyReply) {
  const { path, query } = splitUrl(request.url);

  const asset = inner.has(path) ? undefined : assets.get(path);
  if (asset) return sendAsset(asset, request, reply);

  const canonical = path.replace(/(?:\/index)?(?:\.html)?\/*$/, "") || "/";
  if (canonical !== path && !inner.has(canonical) && assets.has(canonical)) {
    return reply.redirect(canonical + query, 301);
  }
  return sendNotFound(assets, request, reply);
}

/** Every address of ours is plain ASCII, so a path is compared as it was sent and never decoded. */
function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark) };
}
