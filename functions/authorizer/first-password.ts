/** The password that the stack generated for its first user. It is valid while the table has no user of that name. */
import { setTimeout } from "node:timers";
import { readSecret } from "../shared/store/base/secret.ts";
import { hashPassword, type PasswordHash } from "../shared/store/user/password.ts";
import type { User } from "../shared/store/user/user.ts";

/** A changed or deleted secret stays valid for this long. */
const KEPT_MS = 60_000;

let kept: Promise<PasswordHash | undefined> | undefined;

/** @returns undefined when the stack has generated none. */
export async function firstUser(): Promise<Pick<User, "role" | "password"> | undefined> {
  const id = process.env.ADMIN_SECRET;
  if (!id) return undefined;
  kept ??= hashSecret(id);
  const password = await kept;
  return password && { role: "admin", password };
}

/** Hashes the secret, so that checking it takes as long as checking any other password. */
function hashSecret(id: string): Promise<PasswordHash | undefined> {
  const hashing = readSecret(id).then((secret) => (secret ? hashPassword(secret) : undefined));
  const forget = () => {
    kept = undefined;
  };
  hashing.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
  return hashing;
}
