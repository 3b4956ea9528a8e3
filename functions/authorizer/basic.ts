/**
 * Authorizes HTTP Basic: a user of the table with their password; and tokens that such users have got with it. All others get 401 for
 * whatever reason. A fault throws, as does a check that does not finish in time: API Gateway then responds with 503 and admits no caller.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isPassword } from "../shared/store/user/password.ts";
import * as store from "../shared/store/user/sign-in.ts";
import { listTokenKeys } from "../shared/store/user/token-keys.ts";
import { bearerToken, isHandshake } from "./bearer-token.ts";
import { findUser } from "./find-user.ts";
import { HASH_GATE, makeGate } from "./hash-gate.ts";
import { makeJudge } from "./judge.ts";
import { makeHandler } from "./make-handler.ts";
import { makeSessionJudge } from "./session-judge.ts";
import { soleHeader } from "./sole-header.ts";

const judge = makeJudge({
  store,
  clock: { nowMs: Date.now, sleep },
  gate: makeGate(HASH_GATE),
  findUser,
  isPassword,
});

const judgeSession = makeSessionJudge({ nowMs: Date.now, listKeys: listTokenKeys, findUser });

export const handler = makeHandler(async (event, signal) => {
  const token = bearerToken(event);
  if (token !== undefined) return judgeSession(token);
  const header = soleHeader(event, "authorization");
  // API Gateway lets a handshake pass without the header, because a page offers a token as a subprotocol. It is no guess.
  if (header === "" && isHandshake(event)) return "malformed";
  return judge(header, event.requestContext.identity.sourceIp, signal);
});
