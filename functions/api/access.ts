/**
 * What a caller may do. A route's role is asked here, before its operation is called; whose a project is, the store asks
 * wherever it reads one (store/access.ts), of the access that stands here while the request is under way.
 *
 * It stands in an AsyncLocalStorage and is no argument of the store's functions: those are called from deep below the
 * operations, which have no say in the matter, and an argument can be made up. Forgetting is safe: without an access the
 * store reads no project at all.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { failure } from "./errors.ts";
import { type Caller, isAtLeast, type Role } from "./principal.ts";
import { neededRole, type Route } from "./route.ts";

export interface Access {
  readonly caller: Caller;
  /** What the caller has to be in a project that the request touches. */
  readonly needed: Role;
}

const current = new AsyncLocalStorage<Access>();

/** Of public routes, when the gateway has asked nobody. */
const NOBODY: Caller = { name: "nobody", role: "viewer", isAnonymous: true };
/** Of what the service does by itself, on a schedule. */
const SERVICE: Access = { caller: { name: "service", role: "admin", isAnonymous: true }, needed: "admin" };

/** @throws ApiError `access.role` when the caller may not use the route, whatever it is about. */
export function admit(route: Route, caller: Caller | undefined): Access {
  const needed = neededRole(route);
  if (needed === "public") return { caller: caller ?? NOBODY, needed: "viewer" };
  if (caller === undefined || !isAtLeast(caller.role, needed)) {
    throw failure("access.role", { needed, role: caller?.role ?? "none" });
  }
  return { caller, needed };
}

/** Performs a task with an access. A response body that is read after the task keeps it: api/begun-stream.ts. */
export const withAccess = <T>(access: Access, task: () => T): T => current.run(access, task);

/** Performs a task of the service's own, which may read every project. */
export const asService = <T>(task: () => T): T => current.run(SERVICE, task);

/** @throws Error when nobody has been admitted. */
export function currentAccess(): Access {
  const access = current.getStore();
  if (access === undefined) {
    throw new Error("projects are read with an access only: inside a request, or asService (api/access.ts)");
  }
  return access;
}
