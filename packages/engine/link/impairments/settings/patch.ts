/** A change of a link's impairments: new settings by name, null for those that it removes. */
import type { DirectionSettings, LinkSettings } from "./direction-settings.ts";

export type DirectionPatch = Readonly<Record<string, unknown>>;

export interface Patch {
  readonly carrier?: "up" | "down";
  readonly "a-to-b": DirectionPatch;
  readonly "b-to-a": DirectionPatch;
}

export const applyPatch = (before: LinkSettings, patch: Patch): LinkSettings => ({
  carrier: patch.carrier ?? before.carrier,
  "a-to-b": merge(before["a-to-b"], patch["a-to-b"]),
  "b-to-a": merge(before["b-to-a"], patch["b-to-a"]),
});

/** Returns `before` itself if nothing changes: an object stands for the settings. */
function merge(before: DirectionSettings, patch: DirectionPatch): DirectionSettings {
  if (Object.keys(patch).length === 0) return before;
  const entries = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as DirectionSettings;
}

/** Returns the patch at a fraction of the way from the settings before it to its own. */
export const interpolate = (from: LinkSettings, patch: Patch, fraction: number): Patch => ({
  ...patch,
  "a-to-b": between(from["a-to-b"], patch["a-to-b"], fraction),
  "b-to-a": between(from["b-to-a"], patch["b-to-a"], fraction),
});

/** Impairments that grow from nothing; others need a value to begin with. */
const FROM_ZERO = ["delay", "loss", "duplicate", "corrupt", "reorder", "bit_error_rate"];

const between = (from: DirectionSettings, to: DirectionPatch, fraction: number): DirectionPatch =>
  Object.fromEntries(
    Object.entries(to).map(([name, target]) => {
      const start = (from as DirectionPatch)[name];
      if (start === undefined && !FROM_ZERO.includes(name)) return [name, target];
      return [name, mix(start, target, fraction)];
    }),
  );

/** Mixes numbers, and those within objects; integers stay integers. Everything else is as in `to`. */
function mix(from: unknown, to: unknown, fraction: number): unknown {
  if (typeof to === "number") {
    const start = typeof from === "number" ? from : 0;
    const value = start + (to - start) * fraction;
    return Number.isInteger(to) && Number.isInteger(start) ? Math.round(value) : value;
  }
  if (typeof to !== "object" || to === null || Array.isArray(to)) return to;
  const start = (typeof from === "object" && from !== null ? from : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(to).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : mix(start[name], value, fraction),
    ]),
  );
}
