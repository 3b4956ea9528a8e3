/**
 * Decides which projects a caller may see. Every store function that reads a project's item returns it through this module (getProject,
 * listProjects, readProjects, readItems, readTopology) and takes the caller's access as its first argument, so an operation cannot read a
 * project that its caller may not see: the caller gets the same 404 as for a project that does not exist. The check needs no read of its
 * own.
 */
import type { Access } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { namespaceOf } from "../../edge/namespace.ts";
import { type Caller, isAtLeast, lesserRole, type Role } from "../../edge/principal.ts";
import { type EarlierSettings, type FromSettings, shareId, upToDate } from "./stored-settings.ts";

/** The attributes that decide who may see a project. */
interface Owned extends FromSettings {
  readonly owner?: string | undefined;
  /** Present in projects that an earlier release stored. */
  readonly settings?: EarlierSettings | undefined;
  readonly deleting?: boolean | undefined;
}

/**
 * Returns the caller's role in a project, or undefined when the caller may not see it. A share never grants more than the
 * caller's own role. All users may use a project without an owner, but the users of namespaces, who see their own projects alone.
 */
export function roleIn({ owner, shares }: Owned, { name, role }: Caller): Role | undefined {
  if (role === "admin" || owner === name) return role;
  if (namespaceOf(name) !== undefined) return undefined;
  if (owner === undefined) return role;
  const shared = shares?.[shareId(name)];
  return shared && lesserRole(shared, role);
}

/**
 * Returns the project, or undefined when the caller may not see it.
 * @throws ApiError `access.read-only` when the caller may see the project but lacks the role that the request needs.
 */
export function revealed<P extends Owned>({ caller, needed }: Access, stored: P | undefined): P | undefined {
  const project = stored && upToDate(stored);
  const role = project && roleIn(project, caller);
  if (role === undefined) return undefined;
  // A project that is being deleted is hidden from callers who may not continue the deletion.
  if (!isAtLeast(role, needed)) {
    if (project?.deleting) return undefined;
    throw failure("access.read-only");
  }
  return project;
}

/** Returns the projects of a list that the caller may see. */
export const revealedOf = <P extends Owned>({ caller }: Access, projects: readonly P[]): P[] =>
  projects.map(upToDate).filter((project) => roleIn(project, caller) !== undefined);

/** @throws ApiError `project.not-owner` unless the caller may decide with whom the project is shared. */
export function refuseSharingByOthers({ caller }: Access, { owner }: Owned): void {
  if (caller.role !== "admin" && owner !== caller.name) throw failure("project.not-owner");
}

/**
 * Returns the owner of the resources that the caller creates, for whom they count; undefined if callers are anonymous, because they are all
 * the same user.
 */
export const ownerOfNew = ({ caller }: Access): string | undefined =>
  caller.isAnonymous ? undefined : caller.name;
