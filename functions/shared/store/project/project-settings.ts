/** The item with a project's settings: see stored-settings.ts. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import type { ProjectSettings } from "../../schemas/project.ts";
import { document } from "../base/document.ts";
import { projectKey, table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";

export const SettingsEntity = new Entity({
  name: "settings",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    document: document<ProjectSettings>(),
    /** The project's revision when they were stored: its `settings_revision`. */
    settings_revision: number(),
    /** Set when the project's deletion begins. */
    leaving: boolean().optional(),
  }),
  computeKey: ({ project_id }) => ({ pk: projectKey(project_id), sk: "SETTINGS" }),
});

export type SettingsItem = FormattedItem<typeof SettingsEntity>;

export const sharersOf = ({ shared_with }: ProjectSettings): string[] => shared_with.map(({ user }) => user);

/** Returns a step for the transaction that sets the project's `settings_revision`. */
export const putSettings = (
  project_id: string,
  settings_revision: number,
  document: ProjectSettings,
): Transaction => SettingsEntity.build(PutTransaction).item({ project_id, settings_revision, document });

/**
 * Returns a step for the transaction that begins the project's deletion. The table's stream then has the settings beside the change of the
 * project, whose event needs them, however soon the item is deleted.
 */
export const leaveSettings = (project_id: string): Transaction =>
  SettingsEntity.build(UpdateTransaction).item({ project_id, leaving: true });
