/**
 * Judges requests with a token that the service has issued. A token is refused once its user is deleted, or has another role or another
 * password, or has expired: so each check reads the user. No lock-out applies: a token cannot be guessed.
 */
import { readToken, type TokenKey } from "../shared/edge/session-token.ts";
import { generationOf } from "../shared/store/user/password.ts";
import { isOver, type KnownUser } from "./find-user.ts";
import type { Admitted } from "./policy.ts";

interface SessionJudgeParts {
  readonly nowMs: () => number;
  readonly listKeys: () => Promise<readonly TokenKey[]>;
  readonly findUser: (name: string) => Promise<KnownUser | undefined>;
}

type SessionJudge = (token: string) => Promise<Admitted | "invalid" | "revoked" | "expired">;

/** A key that an operator has deleted stays valid for this long. */
const KEPT_MS = 60_000;

export function makeSessionJudge({ nowMs, listKeys, findUser }: SessionJudgeParts): SessionJudge {
  let kept: { readonly keys: readonly TokenKey[]; readonly untilMs: number } = { keys: [], untilMs: 0 };

  /** A key is stored before its first token is issued, so the table is read again for an id that is not kept. */
  async function findKey(id: string): Promise<Uint8Array | undefined> {
    const keyIn = (keys: readonly TokenKey[]) => keys.find((key) => key.id === id)?.bytes;
    const known = nowMs() < kept.untilMs ? keyIn(kept.keys) : undefined;
    if (known !== undefined) return known;
    kept = { keys: await listKeys(), untilMs: nowMs() + KEPT_MS };
    return keyIn(kept.keys);
  }

  return async (token) => {
    const claims = await readToken(token, findKey, Math.floor(nowMs() / 1000));
    if (claims === null) return "invalid";
    const { user: name, role, session } = claims;
    const user = await findUser(name);
    const isCurrent =
      user !== undefined && user.role === role && generationOf(user.password) === session.generation;
    if (!isCurrent) return "revoked";
    return isOver(user, nowMs()) ? "expired" : { user: name, role, session };
  };
}
