/** Tags of ephemeral stacks. `npm run janitor` deletes a stack with both, once it has expired. */

export const EPHEMERAL_TAG = { key: "wirelab", value: "ephemeral" } as const;

/** ISO 8601, UTC. */
export const EXPIRES_TAG = "expires";

export const ephemeralTags = (expires?: string | undefined): Record<string, string> => ({
  [EPHEMERAL_TAG.key]: EPHEMERAL_TAG.value,
  ...(expires !== undefined && { [EXPIRES_TAG]: expires }),
});
