/**
 * Impairments of a link, beyond the five filters and after them. docs/impairments.md has their parameters.
 *
 * Guarantees: those of the filters (equal seeds and packets give equal results; an impairment never changes what another draws),
 * whole nanoseconds, and packets entered + duplicated = delivered + dropped + in flight.
 */
export {
  ImpairedDirection,
  type ImpairedOptions,
  type ImpairedState,
  type Restored,
} from "./impaired-direction.ts";
export type {
  ImpairmentCounts,
  ImpairmentReport,
  ImpairmentType,
  Percentiles,
  QueueReport,
} from "./report.ts";
export { IMPAIRMENT_TYPES } from "./report.ts";
export {
  type DirectionSettings,
  type Impairments,
  type LinkSettings,
  NO_IMPAIRMENTS,
  type SettingsChange,
} from "./settings/direction-settings.ts";
export { DIRECTION_FIELDS, type Field, type Fields } from "./settings/fields.ts";
export {
  type ImpairmentsResult,
  type ParseImpairmentsOptions,
  parseImpairments,
} from "./settings/parse.ts";
export type { ImpairmentProblem } from "./settings/parse-fields.ts";
export { PRESETS, type Preset } from "./settings/presets.ts";
export { WirePacket, type WireSink } from "./wire-packet.ts";
export { WireRun, type WireRunOptions } from "./wire-run.ts";
