/** The two services that clients work against: an open one, and one whose users sign in. */
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { startInMemory } from "../stack/in-memory.ts";

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export interface ClientStack {
  readonly stack: LocalStack;
  /** Undefined if the service admits all callers. */
  readonly credentials: Credentials | undefined;
}

const ADMIN: Credentials = { user: "admin", password: "the admin's own password" };

export async function startClientStack(auth: "none" | "basic"): Promise<ClientStack> {
  const stack = await startInMemory({
    auth,
    ...(auth === "basic" && { adminPassword: ADMIN.password }),
  });
  return { stack, credentials: auth === "basic" ? ADMIN : undefined };
}
