/** The password that the stack made for its first user. It is good while there is no user of that name in the table. */
import { setTimeout } from "node:timers";
import { hashPassword, type PasswordHash } from "../store/password.ts";
import { readSecret } from "../store/secret.ts";
import type { User } from "../store/user.ts";

/** A secret that is changed or deleted is good for this long. */
const KEPT_MS = 60_000;

let kept: Promise<PasswordHash | undefined> | undefined;

/** @returns undefined when the stack has made none. */
export async function firstUser(): Promise<Pick<User, "role" | "password"> | undefined> {
  const id = process.env.ADMIN_SECRET;
  if (!id) return undefined;
  kept ??= hashSecret(id);
  const password = await kept;
  return password && { role: "admin", password };
}

/** It is hashed, too: looking at it takes as long as at any other. */
function hashSecret(id: string): Promise<PasswordHash | undefined> {
  const hashing = readSecret(id).then((secret) => (secret ? hashPassword(secret) : undefined));
  const forget = () => {
    kept = undefined;
  };
  hashing.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
  return hashing;
}
