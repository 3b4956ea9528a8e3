/**
 * Whose a project is. Every function of the store that reads a project's item hands it out through here (getProject,
 * listProjects, readProjects, readItems, readTopology), so an operation cannot come by one that is not its caller's: to the operation it
 * does not exist, and the answer is the same 404. It costs no read of its own.
 */
import { currentAccess } from "../api/access.ts";
import { failure } from "../api/errors.ts";
import { type Caller, isAtLeast, lesserRole, type Role } from "../api/principal.ts";
import { type EarlierSettings, type FromSettings, shareId, upToDate } from "./stored-settings.ts";

/** What decides who may know of a project. */
interface Owned extends FromSettings {
  readonly owner?: string | undefined;
  /** Of a project that an earlier release stored. */
  readonly settings?: EarlierSettings | undefined;
  readonly deleting?: boolean | undefined;
}

/**
 * What the caller is in a project, or undefined when they are not to know of it. Sharing never gives more than the
 * caller's own role; a project without an owner is everybody's.
 */
export function roleIn({ owner, shares }: Owned, { name, role }: Caller): Role | undefined {
  if (role === "admin" || owner === undefined || owner === name) return role;
  const shared = shares?.[shareId(name)];
  return shared && lesserRole(shared, role);
}

/**
 * The project, or undefined when the caller is not to know of it.
 * @throws ApiError `access.read-only` when they may know of it, and not do what the request is for.
 */
export function revealed<P extends Owned>(stored: P | undefined): P | undefined {
  const { caller, needed } = currentAccess();
  const project = stored && upToDate(stored);
  const role = project && roleIn(project, caller);
  if (role === undefined) return undefined;
  // One that is being deleted is gone for all who cannot go on with that.
  if (!isAtLeast(role, needed)) {
    if (project?.deleting) return undefined;
    throw failure("access.read-only");
  }
  return project;
}

/** Those of a list that the caller may know of. */
export const revealedOf = <P extends Owned>(projects: readonly P[]): P[] => {
  const { caller } = currentAccess();
  return projects.map(upToDate).filter((project) => roleIn(project, caller) !== undefined);
};

/** @throws ApiError `project.not-owner` unless the caller may decide who else has the project. */
export function refuseSharingByOthers({ owner }: Owned): void {
  const { caller } = currentAccess();
  if (caller.role !== "admin" && owner !== caller.name) throw failure("project.not-owner");
}

/** The owner of what the caller makes. */
export function ownerOfNew(): string | undefined {
  const { caller } = currentAccess();
  return caller.isAnonymous ? undefined : caller.name;
}
