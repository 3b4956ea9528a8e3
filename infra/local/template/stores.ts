/** Reads tables, buckets and secrets. */
import type { CfnResources } from "../intrinsics.ts";
import { ofType } from "./resources.ts";

/** The physical name, and the properties in CloudFormation's format. */
export interface StoreDefinition {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function readStores(
  resources: CfnResources,
  type: string,
  names: Readonly<Record<string, string>>,
): StoreDefinition[] {
  return ofType(resources, type).map(([id, resource]) => ({
    name: names[id]!,
    properties: resource.Properties ?? {},
  }));
}
