/** What a restored snapshot changes in the project's own item. */
import { $remove } from "dynamodb-toolbox/entity/actions/update";
import type { ProjectSettings } from "../../schemas/project.ts";
import type { Usage } from "../limits/quota.ts";
import type { RestoredSnapshot } from "./project.ts";
import { fromSettings } from "./stored-settings.ts";
import { removingMissing } from "./update-project.ts";

interface Restored {
  readonly counts: Usage;
  readonly settings: ProjectSettings;
  /** The project's revision afterwards, which is also that of the settings. */
  readonly revision: number;
  readonly clockUs: number | undefined;
  readonly restored: RestoredSnapshot;
}

export const restoredFields = ({ counts, settings, revision, clockUs, restored }: Restored): object => ({
  ...counts,
  ...removingMissing(fromSettings(settings)),
  revision,
  settings_revision: revision,
  settings: $remove(),
  clock_us: clockUs ?? $remove(),
  restored,
});
