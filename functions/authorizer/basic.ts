/**
 * Who comes in with HTTP Basic: a user of the table with their password. Everybody else is 401, whyever; what is broken is
 * an exception: API Gateway answers 500, and nobody comes in.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isPassword } from "../store/password.ts";
import * as store from "../store/sign-in.ts";
import { FIRST_USER, getUser } from "../store/user.ts";
import { firstUser } from "./first-password.ts";
import { HASH_GATE, makeGate } from "./hash-gate.ts";
import { makeJudge } from "./judge.ts";
import { makeHandler } from "./make-handler.ts";
import { soleHeader } from "./sole-header.ts";

const findUser = async (name: string) =>
  (await getUser(name)) ?? (name === FIRST_USER ? firstUser() : undefined);

const judge = makeJudge({
  store,
  clock: { nowMs: Date.now, sleep },
  gate: makeGate(HASH_GATE),
  findUser,
  isPassword,
});

export const handler = makeHandler((event) =>
  judge(soleHeader(event, "authorization"), event.requestContext.identity.sourceIp),
);
