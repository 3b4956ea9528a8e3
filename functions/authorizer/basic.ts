/**
 * Who comes in with HTTP Basic: a user of the table with their password.
 *
 *     malformed                        -> 401, counted against the address
 *     user or address locked out       -> 401, not looked at and not counted
 *     unknown user, wrong password     -> 401, counted against both, after the same work
 *     anything broken                  -> an exception: API Gateway answers 500, and nobody comes in
 */
import { isPassword, NOBODYS_HASH } from "../store/password.ts";
import { type Culprit, countFailure, failuresOf, isKnownSource, rememberSource } from "../store/sign-in.ts";
import { FIRST_USER, getUser } from "../store/user.ts";
import { type Credentials, readCredentials } from "./basic-credentials.ts";
import { firstUser } from "./first-password.ts";
import {
  FORGOTTEN_SECONDS,
  isLockedOut,
  KNOWN_SOURCE_SECONDS,
  SOURCE_LOCK_OUT,
  USER_LOCK_OUT,
} from "./lock-out.ts";
import { makeHandler } from "./make-handler.ts";
import type { Admitted } from "./policy.ts";
import { soleHeader } from "./sole-header.ts";
import { sourceOf } from "./source.ts";

/** From the moment it is known. */
const count = (culprit: Culprit): Promise<unknown> => countFailure(culprit, Date.now(), FORGOTTEN_SECONDS);

type Refusal = "malformed" | "locked-out" | "wrong";

export const handler = makeHandler((event) =>
  judge(
    readCredentials(soleHeader(event, "authorization")),
    sourceOf(event.requestContext.identity.sourceIp),
  ),
);

async function judge(credentials: Credentials | null, source: string): Promise<Admitted | Refusal> {
  const nowMs = Date.now();
  if (credentials === null) {
    const failures = await failuresOf(`SOURCE#${source}`, nowMs);
    if (isLockedOut(failures, SOURCE_LOCK_OUT, nowMs)) return "locked-out";
    await count(`SOURCE#${source}`);
    return "malformed";
  }
  const { user: name, password } = credentials;
  const [user, ofUser, ofSource, isKnown] = await Promise.all([
    findUser(name),
    failuresOf(`USER#${name}`, nowMs),
    failuresOf(`SOURCE#${source}`, nowMs),
    isKnownSource(name, source, nowMs),
  ]);
  const userIsLocked = !isKnown && isLockedOut(ofUser, USER_LOCK_OUT, nowMs);
  if (userIsLocked || isLockedOut(ofSource, SOURCE_LOCK_OUT, nowMs)) return "locked-out";
  const isRight = await isPassword(password, user?.password ?? NOBODYS_HASH);
  if (user === undefined || !isRight) {
    await Promise.all([count(`USER#${name}`), count(`SOURCE#${source}`)]);
    return "wrong";
  }
  if (!isKnown) await rememberSource(name, source, nowMs, KNOWN_SOURCE_SECONDS);
  return { user: name, role: user.role };
}

const findUser = async (name: string) =>
  (await getUser(name)) ?? (name === FIRST_USER ? firstUser() : undefined);
