/**
 * Judges requests with HTTP Basic.
 *
 *     malformed                        -> counted against the address
 *     no tokens left                   -> not checked
 *     too many checks in progress,
 *     or no time left for the check    -> a failure, and not counted
 *     unknown user, wrong password     -> counted, after the same work
 *     right password                   -> not counted, and the address becomes known
 *     the same of a user who is over   -> not counted, and refused
 */
import { generationOf, type PasswordHash, UNKNOWN_USERS_HASH } from "../shared/store/user/password.ts";
import { type Attempt, type Attempts, beginAttempt, type Clock, sourceBucket } from "./attempt.ts";
import { type Credentials, readCredentials } from "./basic-credentials.ts";
import { isOver, type KnownUser } from "./find-user.ts";
import type { Gate } from "./hash-gate.ts";
import { isToBeRenewed, KNOWN_SOURCE_SECONDS } from "./lock-out.ts";
import { Overloaded, within } from "./overloaded.ts";
import type { Admitted } from "./policy.ts";
import { shareWhileUnderWay } from "./share.ts";
import { sourceOf } from "./source.ts";

type Refusal = "malformed" | "locked-out" | "wrong" | "expired";

interface JudgeParts {
  readonly store: Attempts;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly findUser: (name: string) => Promise<KnownUser | undefined>;
  readonly isPassword: (password: string, stored: PasswordHash) => Promise<boolean>;
}

/** @param signal aborted when the function has no time left. @throws Overloaded when the password could not be checked. */
type Judge = (header: string, address: string, signal: AbortSignal) => Promise<Admitted | Refusal>;

export function makeJudge({ store, clock, gate, findUser, isPassword }: JudgeParts): Judge {
  const share = shareWhileUnderWay<Admitted | Refusal>();

  async function refuseMalformed(address: string): Promise<Refusal> {
    return (await store.takeAttempt(sourceBucket(address), clock.nowMs(), 0)) ? "malformed" : "locked-out";
  }

  /** An attempt that begins too late gives its tokens back by itself. */
  async function begin(name: string, address: string, signal: AbortSignal): Promise<Attempt | undefined> {
    const beginning = beginAttempt(store, clock, name, address);
    return within(signal, beginning).catch((error: unknown) => {
      beginning.then((late) => late?.end({ givesBack: true })).catch(() => {});
      throw error;
    });
  }

  async function judge(
    { user: name, password }: Credentials,
    address: string,
    signal: AbortSignal,
  ): Promise<Admitted | Refusal> {
    // Before tokens are taken, because a failure here is a fault of the service.
    const user = await findUser(name);
    const attempt = await begin(name, address, signal);
    if (attempt === undefined) return "locked-out";
    const isFirst = attempt.knownUntilS !== undefined;
    const look = () => isPassword(password, user?.password ?? UNKNOWN_USERS_HASH);
    let isRight = false;
    try {
      const verdict = await within(signal, gate(look, { isFirst }));
      if (verdict === "busy") throw new Overloaded("too many checks are in progress");
      isRight = user !== undefined && verdict;
      if (isRight) await welcome(name, address, attempt);
    } catch (error) {
      await attempt.end({ givesBack: true });
      throw error;
    }
    await attempt.end({ givesBack: isRight });
    if (user === undefined || !isRight) return "wrong";
    if (isOver(user, clock.nowMs())) return "expired";
    const session = {
      generation: generationOf(user.password),
      signedInS: Math.floor(clock.nowMs() / 1000),
    };
    return { user: name, role: user.role, session };
  }

  /** Called before the tokens are given back: attempts that wait for them check in the opposite order. */
  async function welcome(name: string, address: string, { knownUntilS = 0 }: Attempt): Promise<void> {
    const nowMs = clock.nowMs();
    if (!isToBeRenewed(knownUntilS, nowMs)) return;
    await store.rememberSource(name, sourceOf(address), nowMs, KNOWN_SOURCE_SECONDS);
  }

  return (header, address, signal) => {
    const credentials = readCredentials(header);
    if (credentials === null) return refuseMalformed(address);
    const { user, password } = credentials;
    return share([user, password, address], () => judge(credentials, address, signal));
  };
}
