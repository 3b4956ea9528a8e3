/** What a node of a lab file is turned into: the properties that the interface has for it, from which its device is made. */

import type { Properties } from "@wirelab/engine/devices/node-reader";
import type { DeviceSpec } from "@wirelab/engine/devices/readers";
import type { Path, Problems } from "../file/problem.ts";
import type { NodeModel } from "../model/lab-model.ts";
import type { Expansion } from "./expansion.ts";
import type { Guests } from "./guests.ts";
import type { LookAt } from "./read-guest-files.ts";
import type { LoadFile } from "./read-replay.ts";

export interface NodeContext {
  /** How many ports the links need. */
  readonly portsUsed: number;
  readonly guests: Guests | undefined;
  readonly load: LoadFile;
  readonly look?: LookAt | undefined;
  readonly expansion: Expansion;
}

interface NodeForm {
  readonly properties: Properties;
  readonly isStarted: boolean;
  /** The place in the file of a property; absent: a property is where it is in the interface. */
  readonly placeOf?: (path: Path) => Path;
  /** The file of the property `config`, whose lines problems name. */
  readonly file?: string;
  /** Adds to the spec what the interface has no property for. */
  readonly finish?: (spec: DeviceSpec) => DeviceSpec;
  /** What is not in the properties, or else than the properties say. */
  readonly model?: Partial<Pick<NodeModel, "ports" | "addresses" | "outside" | "collect" | "beyond">>;
}

/** @returns undefined after it has reported a problem. */
export type ReadForm = (
  value: object,
  context: NodeContext,
  path: Path,
  problems: Problems,
) => NodeForm | undefined;

export const listOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  value === undefined || value === null || value === "" ? [] : typeof value === "string" ? [value] : value;
