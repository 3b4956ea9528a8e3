/** Tags of ephemeral stacks. `npm run janitor` deletes a stack that has both, once it has expired. */
import type { Settings } from "./chosen-settings.ts";

export const EPHEMERAL_TAG = { key: "wirelab-lifetime", value: "ephemeral" } as const;

/** ISO 8601, UTC. */
export const EXPIRES_TAG = "expires";

const ephemeralTags = (expires?: string): Record<string, string> => ({
  [EPHEMERAL_TAG.key]: EPHEMERAL_TAG.value,
  ...(expires !== undefined && { [EXPIRES_TAG]: expires }),
});

/** @throws Error for a lasting stack that expires. */
export function tagsFor(settings: Settings): Record<string, string> {
  const expires = settings.get("expires");
  if (settings.get("ephemeral")) return ephemeralTags(expires);
  if (expires === undefined) return {};
  throw new Error("The context key expires requires ephemeral=true; a lasting stack is never deleted");
}
