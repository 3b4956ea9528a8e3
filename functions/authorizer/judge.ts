/**
 * Judges requests with HTTP Basic.
 *
 *     malformed                        -> counted against the address
 *     no tokens left                   -> not checked
 *     too many checks in progress      -> not checked, and not counted
 *     unknown user, wrong password     -> counted, after the same work
 *     right password                   -> not counted, and the address becomes known
 */
import { type PasswordHash, UNKNOWN_USERS_HASH } from "../shared/store/user/password.ts";
import type { User } from "../shared/store/user/user.ts";
import { type Attempt, type Attempts, beginAttempt, type Clock, sourceBucket } from "./attempt.ts";
import { type Credentials, readCredentials } from "./basic-credentials.ts";
import type { Gate } from "./hash-gate.ts";
import { isToBeRenewed, KNOWN_SOURCE_SECONDS } from "./lock-out.ts";
import type { Admitted } from "./policy.ts";
import { shareWhileUnderWay } from "./share.ts";
import { sourceOf } from "./source.ts";

type Refusal = "malformed" | "locked-out" | "busy" | "wrong";

interface JudgeParts {
  readonly store: Attempts;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly findUser: (name: string) => Promise<Pick<User, "role" | "password"> | undefined>;
  readonly isPassword: (password: string, stored: PasswordHash) => Promise<boolean>;
}

type Judge = (header: string, address: string) => Promise<Admitted | Refusal>;

export function makeJudge({ store, clock, gate, findUser, isPassword }: JudgeParts): Judge {
  const share = shareWhileUnderWay<Admitted | Refusal>();

  async function refuseMalformed(address: string): Promise<Refusal> {
    return (await store.takeAttempt(sourceBucket(address), clock.nowMs(), 0)) ? "malformed" : "locked-out";
  }

  async function judge({ user: name, password }: Credentials, address: string): Promise<Admitted | Refusal> {
    // Before tokens are taken, because a failure here is a fault of the service.
    const user = await findUser(name);
    const attempt = await beginAttempt(store, clock, name, address);
    if (attempt === undefined) return "locked-out";
    const isFirst = attempt.knownUntilS !== undefined;
    const look = () => isPassword(password, user?.password ?? UNKNOWN_USERS_HASH);
    const verdict = await gate(look, { isFirst }).catch(async (error: unknown) => {
      await attempt.end({ givesBack: true });
      throw error;
    });
    if (verdict === "busy") {
      await attempt.end({ givesBack: true });
      return "busy";
    }
    if (user === undefined || !verdict) {
      await attempt.end({ givesBack: false });
      return "wrong";
    }
    await welcome(name, address, attempt);
    return { user: name, role: user.role };
  }

  /** Makes the address known before it gives back the tokens: attempts that wait for them check in the opposite order. */
  async function welcome(name: string, address: string, { knownUntilS = 0, end }: Attempt): Promise<void> {
    const nowMs = clock.nowMs();
    if (isToBeRenewed(knownUntilS, nowMs)) {
      await store.rememberSource(name, sourceOf(address), nowMs, KNOWN_SOURCE_SECONDS);
    }
    await end({ givesBack: true });
  }

  return (header, address) => {
    const credentials = readCredentials(header);
    if (credentials === null) return refuseMalformed(address);
    const { user, password } = credentials;
    return share([user, password, address], () => judge(credentials, address));
  };
}
