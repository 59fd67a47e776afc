import { type Random, seededRandom } from "../load/seeded-random.ts";
import { addressSpoilers, querySpoilers } from "./bad-addresses.ts";
import { bodySpoilers } from "./bad-bodies.ts";
import { headerSpoilers } from "./bad-headers.ts";
import { badMessages } from "./bad-messages.ts";
import { type Draft, type Knowledge, newDraft, render } from "./draft.ts";
import type { Attempt } from "./exchange.ts";
import type { Route, Surface } from "./surface.ts";

export const families = ["bodies", "addresses", "headers", "messages"] as const;
export type Family = (typeof families)[number];

export interface BadRequest extends Attempt {
  route: Route;
  family: Family;
  /** The route, and what is wrong with the request. */
  description: string;
}

/** Most of the code is behind these routes, so every second request goes to one of them. */
const isDeep = ({ method, url }: Route) =>
  (url === "/rest/v1/*" && ["GET", "POST", "PATCH", "DELETE"].includes(method)) ||
  (method === "POST" && !url.startsWith("/rest/"));

/**
 * Returns the bad requests of a seed by their number. The same seed, number and routes give the same request; only the
 * tokens in it are those of the run.
 */
export function badRequests(seed: number, surface: Surface, known: Knowledge): (index: number) => BadRequest {
  const queries = querySpoilers(surface);
  const deep = surface.routes.filter(isDeep);

  return (index) => {
    const random = seededRandom(seed ^ Math.imul(index + 1, 0x9e3779b1));
    // All routes in turn, so that even a short run attacks most of them.
    const half = Math.floor(index / 2);
    const list = index % 2 ? deep : surface.routes;
    const route = list[half % list.length] as Route;
    const family = random.pick(families);
    const draft = newDraft(index, route, surface, known, random);
    const describe = (what: string) => `${draft.method} ${draft.path} with ${what}`;

    if (family === "messages") {
      const name = random.pick(Object.keys(badMessages));
      const others = () => newDraft(index, random.pick(surface.routes), surface, known, random);
      const attempt = badMessages[name]?.(draft, random, index, others);
      return { ...(attempt as Attempt), route, family, description: describe(name) };
    }

    const addresses = { ...addressSpoilers, ...(route.url.startsWith("/rest/") && queries) };
    const spoilers = { bodies: bodySpoilers, addresses, headers: headerSpoilers };
    const names = [spoil(draft, spoilers[family], random, index)];
    if (random.below(3) === 0)
      names.push(spoil(draft, spoilers[random.pick(["bodies", "addresses", "headers"] as const)], random, index));
    return {
      parts: [render(draft)],
      until: keepsOpen(draft) ? "answer" : "close",
      route,
      family,
      description: describe(names.join(" and ")),
    };
  };
}

function spoil(draft: Draft, spoilers: typeof bodySpoilers, random: Random, index: number): string {
  const name = random.pick(Object.keys(spoilers));
  spoilers[name]?.(draft, random, index);
  return name;
}

function keepsOpen({ headers }: Draft): boolean {
  return headers.some(([name]) => name.toLowerCase() === "connection");
}
