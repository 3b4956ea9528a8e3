/**
 * Judges who comes with HTTP Basic.
 *
 *     malformed                        -> counted against the address
 *     no tokens left                   -> not looked at
 *     too many are looked at           -> not looked at, and not counted
 *     unknown user, wrong password     -> counted, after the same work
 *     right password                   -> not counted, and the address is known
 */
import { type PasswordHash, UNKNOWN_USERS_HASH } from "../store/password.ts";
import type { User } from "../store/user.ts";
import { type Attempt, type Attempts, beginAttempt, type Clock, sourceBucket } from "./attempt.ts";
import { type Credentials, readCredentials } from "./basic-credentials.ts";
import type { Gate } from "./hash-gate.ts";
import { isToBeRenewed, KNOWN_SOURCE_SECONDS } from "./lock-out.ts";
import type { Admitted } from "./policy.ts";
import { shareWhileUnderWay } from "./share.ts";
import { sourceOf } from "./source.ts";

export type Refusal = "malformed" | "locked-out" | "busy" | "wrong";

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
    // Before anything is taken: what fails here is a fault of ours.
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

  /** The address is known before the tokens are back: who waits for them looks in the other order. */
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
