/**
 * What a caller may do. `admit` checks the route's role before its operation is called. The store checks who may see a project
 * wherever it reads one (store/access.ts), by the access that this module holds during the request.
 *
 * The access is in an AsyncLocalStorage and not an argument of the store's functions: the operations between here and the store could
 * pass a wrong argument, and cannot change the access. A missing access is safe: without one the store reads no project.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { failure } from "./errors.ts";
import { type Caller, isAtLeast, type Role } from "./principal.ts";
import { neededRole, type Route } from "./route.ts";

export interface Access {
  readonly caller: Caller;
  /** The role that the caller needs in a project that the request touches. */
  readonly needed: Role;
  /** The host to which the request was sent. */
  readonly host?: string;
}

const current = new AsyncLocalStorage<Access>();

/** The caller of public routes when the gateway has authenticated none. */
const UNKNOWN: Caller = { name: "nobody", role: "viewer", isAnonymous: true };
/** The access of the service's own scheduled tasks. */
const SERVICE: Access = { caller: { name: "service", role: "admin", isAnonymous: true }, needed: "admin" };

/** @throws ApiError `access.role` when the caller may not use the route for any resource. */
export function admit(route: Pick<Route, "role" | "method">, caller: Caller | undefined): Access {
  const needed = neededRole(route);
  if (needed === "public") return { caller: caller ?? UNKNOWN, needed: "viewer" };
  if (caller === undefined || !isAtLeast(caller.role, needed)) {
    throw failure("access.role", { needed, role: caller?.role ?? "none" });
  }
  return { caller, needed };
}

/** Performs a task with an access. A response body that is read after the task keeps the access: api/begun-stream.ts. */
export const withAccess = <T>(access: Access, task: () => T): T => current.run(access, task);

/** Returns the host to which the current request was sent; undefined outside of a request. */
export const currentHost = (): string | undefined => current.getStore()?.host;

/** Performs a task of the service itself, which may read every project. */
export const asService = <T>(task: () => T): T => current.run(SERVICE, task);

/** @throws Error when no caller has been admitted. */
export function currentAccess(): Access {
  const access = current.getStore();
  if (access === undefined) {
    throw new Error("projects are read with an access only: inside a request, or asService (api/access.ts)");
  }
  return access;
}
