/** A project together with its settings, which have their own item. */
import { failure } from "../../edge/errors.ts";
import type { Project, ProjectSettings } from "../../schemas/project.ts";
import { type ProjectItem, projectPath } from "./project.ts";
import type { SettingsItem } from "./project-settings.ts";

export interface WholeProject {
  readonly project: ProjectItem;
  readonly settings: ProjectSettings;
}

export function toProject({ project, settings }: WholeProject): Project {
  const { project_id, name, filename, status, owner = null } = project;
  return { ...settings, project_id, name, filename, status, path: projectPath(project_id), owner };
}

/** @throws ApiError `project.not-found` */
export function existingWhole(stored: WholeProject | undefined, projectId: string): WholeProject {
  if (stored === undefined) throw failure("project.not-found", { project_id: projectId });
  return stored;
}

/** @returns undefined when the settings are of another revision of the project: then the caller reads both again. */
export function withSettings(
  project: ProjectItem,
  stored: SettingsItem | undefined,
): WholeProject | undefined {
  if (project.settings) {
    return { project, settings: { shared_with: [], expires_at: null, ...project.settings } };
  }
  if (stored === undefined || stored.settings_revision !== project.settings_revision) return undefined;
  return { project, settings: stored.document };
}
