/** Finds the settings of projects that changed. */
import type { ProjectSettings } from "../shared/schemas/project.ts";
import { getItems } from "../shared/store/base/get-items.ts";
import type { ProjectItem } from "../shared/store/project/project.ts";
import { SettingsEntity, type SettingsItem } from "../shared/store/project/project-settings.ts";
import { withSettings } from "../shared/store/project/whole-project.ts";
import type { Change } from "./change.ts";
import type { SettingsOf } from "./project-events.ts";

/**
 * Returns the settings with which a project was stored if the batch has their change, else as they are now.
 * @param changes the changes of the batch.
 */
export function settingsIn(changes: readonly Change[]): SettingsOf {
  const stored = changes
    .filter(({ source }) => source === "settings")
    .flatMap(({ before, after }) => [before, after] as (SettingsItem | undefined)[]);
  const inBatch = new Map(stored.flatMap((item) => (item ? [[keyOf(item), item]] : [])));
  return async (project) => {
    const found = withSettings(project, inBatch.get(keyOf(project)));
    return found?.settings ?? (await readSettings(project));
  };
}

const keyOf = ({ project_id, settings_revision }: Pick<ProjectItem, "project_id" | "settings_revision">) =>
  `${project_id} ${settings_revision}`;

async function readSettings({ project_id }: ProjectItem): Promise<ProjectSettings | undefined> {
  const [found] = (await getItems([{ entity: SettingsEntity, key: { project_id } }])) as (
    | SettingsItem
    | undefined
  )[];
  return found?.document;
}
