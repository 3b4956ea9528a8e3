/** The settings of flow counters: as they are configured, and with the names of the API's `properties`. */
import type { PropertyReader } from "../../property-reader.ts";

export interface FlowsSpec {
  /** The most flows that are counted at a time. */
  readonly limit: number;
}

export interface FlowsProperties {
  limit?: number;
}

/** The flows are part of the router's stored state, which sets their number. */
export const MAX_FLOWS = 1_024;

/** @returns undefined if a value is invalid: the reader then has the problem. */
export function readFlows(reader: PropertyReader, value: unknown): FlowsSpec | undefined {
  const flows = reader.object(value, ["flows"], ["limit"]);
  if (flows === null) return undefined;
  const limit = reader.integer(flows.limit ?? MAX_FLOWS, ["flows", "limit"], 1, MAX_FLOWS);
  return limit === null ? undefined : { limit };
}

export const formatFlows = ({ limit }: FlowsSpec): FlowsProperties => ({ limit });

/** The commands that configure them; the default is omitted. */
export const flowsLines = ({ limit }: FlowsSpec): string[] => [
  limit === MAX_FLOWS ? "flows" : `flows limit ${limit}`,
];
