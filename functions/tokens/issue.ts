/** Issues a token to a caller whose password, or earlier token, the authorizer has checked. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { TOKEN_ERRORS } from "../shared/edge/own-errors/token.ts";
import { lifetimeOf, SESSION_SECONDS, signToken } from "../shared/edge/session-token.ts";
import { signingKey } from "../shared/store/user/token-keys.ts";
import type { group } from "./routes.ts";

export const issueToken: Operation<typeof group.routes.issueToken> = async ({ access }) => {
  const { name: user, role, session } = access.caller;
  if (session === undefined) throw failureOf(TOKEN_ERRORS, "token.not-issued");
  const nowS = Math.floor(Date.now() / 1000);
  const token = await signToken({ user, role, session }, await signingKey(nowS), nowS);
  return {
    status: 201,
    body: {
      token,
      token_type: "Bearer",
      expires_in: lifetimeOf(session, nowS),
      session_expires_in: Math.max(0, session.signedInS + SESSION_SECONDS - nowS),
    },
  };
};
