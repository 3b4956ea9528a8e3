/** The events of a project, in the service's stream. */
import { isDeepStrictEqual } from "node:util";
import type { ProjectSettings } from "../shared/schemas/project.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import type { NewEvent } from "../shared/store/events/publish.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { upToDate } from "../shared/store/project/stored-settings.ts";
import { toProject } from "../shared/store/project/whole-project.ts";

/** Returns the settings of a project; undefined if they are deleted. */
export type SettingsOf = (project: ProjectItem) => Promise<ProjectSettings | undefined>;

export async function projectEvents(
  before: ProjectItem | undefined,
  after: ProjectItem | undefined,
  settingsOf: SettingsOf,
): Promise<readonly (NewEvent & { stream: string })[]> {
  const change = await changeOf(visible(before), visible(after), settingsOf);
  if (change === undefined) return [];
  const project = upToDate((visible(after) ?? before)!);
  // The event of a deleted project without settings has the fields of the project's item.
  const settings = (await settingsOf(project)) ?? ({} as ProjectSettings);
  const { owner, shares } = project;
  return [
    {
      stream: SERVICE_STREAM,
      action: `project.${change}`,
      event: toProject({ project, settings }),
      audience: { owner, shares },
    },
  ];
}

/** A project that is being deleted is hidden from all readers. */
const visible = (project: ProjectItem | undefined): ProjectItem | undefined =>
  project?.deleting ? undefined : project;

async function changeOf(
  before: ProjectItem | undefined,
  after: ProjectItem | undefined,
  settingsOf: SettingsOf,
): Promise<string | undefined> {
  if (before === undefined) return after && "created";
  if (after === undefined) return "deleted";
  if (before.status !== after.status) return after.status;
  if (before.name !== after.name) return "updated";
  if (before.settings_revision === after.settings_revision) return undefined;
  // The settings of an earlier release move to their own item, which shows nothing to clients.
  const moved = before.settings !== undefined && after.settings === undefined;
  const isSame = moved && isDeepStrictEqual(await settingsOf(before), await settingsOf(after));
  return isSame ? undefined : "updated";
}
