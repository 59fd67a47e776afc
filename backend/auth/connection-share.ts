import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthContext } from "./auth-context.ts";
import { refusals } from "./refusals.ts";

/**
 * A handler that runs within the network's share of the connections (docs/protocol.md#limits-against-floods). It holds its
 * place while it hashes, so one network has only four of the hashes that wait. No handler may run within another.
 */
export function inShare<T>(
  { floodLimits }: Pick<AuthContext, "floodLimits">,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<T>,
) {
  return (request: FastifyRequest, reply: FastifyReply) =>
    floodLimits.withConnection(request, () => handle(request, reply), refusals.rateLimited);
}
