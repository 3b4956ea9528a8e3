/** Users who may sign in with a password: users of the stack, and users of namespaces. */
import { namespaceOf } from "../shared/edge/namespace.ts";
import type { Role } from "../shared/edge/principal.ts";
import { getNamespace } from "../shared/store/user/namespace.ts";
import type { PasswordHash } from "../shared/store/user/password.ts";
import { getUser } from "../shared/store/user/user.ts";

export interface KnownUser {
  readonly role: Role;
  readonly password: PasswordHash;
  /** From then on, in milliseconds since 1970, the user is refused. */
  readonly endMs?: number;
}

export async function findUser(name: string): Promise<KnownUser | undefined> {
  const namespace = namespaceOf(name);
  if (namespace === undefined) return getUser(name);
  const stored = await getNamespace(namespace);
  return stored && { role: "editor", password: stored.password, endMs: Date.parse(stored.expires_at) };
}

export const isOver = ({ endMs = Number.POSITIVE_INFINITY }: KnownUser, nowMs: number): boolean =>
  nowMs >= endMs;
