/**
 * Authorizes HTTP Basic: a user of the table with their password. All others get 401 for whatever reason. A fault throws, as does a
 * check that does not finish in time: API Gateway then responds with 503 and admits no caller.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isPassword } from "../shared/store/user/password.ts";
import * as store from "../shared/store/user/sign-in.ts";
import { getUser } from "../shared/store/user/user.ts";
import { HASH_GATE, makeGate } from "./hash-gate.ts";
import { makeJudge } from "./judge.ts";
import { makeHandler } from "./make-handler.ts";
import { soleHeader } from "./sole-header.ts";

const judge = makeJudge({
  store,
  clock: { nowMs: Date.now, sleep },
  gate: makeGate(HASH_GATE),
  findUser: getUser,
  isPassword,
});

export const handler = makeHandler((event, signal) =>
  judge(soleHeader(event, "authorization"), event.requestContext.identity.sourceIp, signal),
);
