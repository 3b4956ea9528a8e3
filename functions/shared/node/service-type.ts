/** What the service adds to a node type of the engine; `service-types.ts` lists the types that need any. */
import type { DeviceSpec } from "@wirelab/engine/devices/readers";
import type * as z from "zod/mini";
import type { Hardware, Properties } from "./hardware.ts";

export interface ServiceType {
  /** Takes the place of all other checks. */
  readonly make?: (given: Properties, before: Hardware | undefined) => Hardware;
  /** The properties in the form of clients, with their defaults: the engine reads the others. Absent: it reads all. */
  readonly client?: z.ZodMiniObject;
  /** Properties that are accepted without effect. */
  readonly ignored?: readonly string[];
  /** What is stored of the engine's properties in another form than the given one. */
  readonly stored?: (spec: DeviceSpec) => Properties;
  /** Absent: `ports_mapping` names the ports. */
  readonly ports?: readonly string[];
  /** Chooses the properties of a project file that have a meaning here; others belong to a program that runs the node on a machine. */
  readonly imported?: (given: Properties) => Properties;
  /** Other programs refuse properties of such a node that they do not know, so a project file has none. */
  readonly isPrivate?: true;
  /** Settings of a new template. */
  readonly template?: Properties;
  /** Settings of the built-in template. */
  readonly builtin?: Properties;
}
