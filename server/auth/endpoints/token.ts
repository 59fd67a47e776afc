import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AuthContext } from "../auth-context.ts";
import { signIn } from "../grants/password-grant.ts";
import { refresh } from "../grants/refresh-token-grant.ts";
import { refusals } from "../refusals.ts";
import { expiredRowsRemover } from "../remove-expired.ts";
import { queryText } from "../request-input.ts";
import { idTokenRefusal } from "./not-offered.ts";

/** POST /token: sign-in and refresh (docs/protocol.md#password-sign-in, docs/protocol.md#refresh-tokens). */
export function token(app: FastifyInstance, context: AuthContext) {
  const removeExpiredRows = expiredRowsRemover(context.owner, context);

  app.post("/token", async (request) => {
    try {
      return await exchange(request);
    } finally {
      // Afterwards, so that the refresh of an expired session still finds its row. The session is committed by then, so a
      // failure must not take the place of the answer.
      await removeExpiredRows(context.now()).catch((err: Error) =>
        request.log.warn({ err }, "Expired rows of accounts could not be removed. A later sign-in tries again."),
      );
    }
  });

  function exchange(request: FastifyRequest) {
    const grant = queryText(request, "grant_type");
    if (grant === "password") return signIn(request, context);
    if (grant === "refresh_token") return refresh(request, context);
    if (grant === "id_token") throw idTokenRefusal(request);
    if (grant === "web3") throw refusals.noWeb3();
    if (grant === "pkce") throw refusals.noPkce();
    throw refusals.unknownGrant();
  }
}
