/**
 * What a caller may do. `admit` checks the route's role before its operation is called. Each function of the store that
 * reads a project takes an access, and checks with it who may see the project (store/project/access.ts).
 */
import { failure } from "./errors.ts";
import { type Caller, isAtLeast, type Role } from "./principal.ts";
import { neededRole, type Route } from "./route.ts";

export interface Access {
  readonly caller: Caller;
  /** The role that the caller needs in a project that the request touches. */
  readonly needed: Role;
}

/** The caller of public routes when the gateway has authenticated none. */
const UNKNOWN: Caller = { name: "nobody", role: "viewer", isAnonymous: true };
/** The access of the service's own tasks, which may read every project. */
export const SERVICE: Access = {
  caller: { name: "service", role: "admin", isAnonymous: true },
  needed: "admin",
};

/** @throws ApiError `access.role` when the caller may not use the route for any resource. */
export function admit(route: Pick<Route, "role" | "method">, caller: Caller | undefined): Access {
  const needed = neededRole(route);
  if (needed === "public") return { caller: caller ?? UNKNOWN, needed: "viewer" };
  if (caller === undefined || !isAtLeast(caller.role, needed)) {
    throw failure("access.role", { needed, role: caller?.role ?? "none" });
  }
  return { caller, needed };
}
