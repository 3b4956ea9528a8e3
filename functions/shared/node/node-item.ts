/** The item of a new node. */
import { kindOf, typesThat } from "@wirelab/engine/devices/find-kind";
import {
  isPlaceholder,
  type KnownType,
  type Node,
  type NodeCreate,
  type NodeType,
  type PlaceholderType,
  RECORD_TYPES,
  RUNNABLE_TYPES,
  STARTED_WHEN_CREATED,
} from "../schemas/node.ts";
import { typeOfImage } from "../schemas/router-image.ts";
import { nowUs } from "../store/base/table.ts";
import type { NodeItem } from "../store/lab/node.ts";
import { DEFAULT_SYMBOL, defaultLabel, type Size, symbolSize } from "./appearance.ts";
import type { Hardware } from "./hardware.ts";

/** Types whose MAC addresses derive from a number that is unique in the lab. */
export const NUMBERED: ReadonlySet<KnownType> = new Set(typesThat(({ macs }) => macs));

export const KNOWN_TYPES: readonly string[] = [...RUNNABLE_TYPES, ...RECORD_TYPES];

export const isKnown = (type: string): type is KnownType => KNOWN_TYPES.includes(type);

export const consoleTypeOf = (
  { console_type }: NodeCreate,
  type: KnownType | PlaceholderType,
): Node["console_type"] => {
  if (console_type !== undefined) return console_type;
  return isPlaceholder(type) ? null : kindOf(type).console;
};

/** The type that the service emulates: `docker` with the image of such a type is one. */
export const emulatedType = ({ node_type, properties }: NodeCreate): NodeType =>
  (node_type === "docker" && typeOfImage(properties?.image)) || node_type;

/**
 * @param own the ids, the free name and, for the types in `NUMBERED`, the free number.
 * @param unknownSize the size of a symbol that the stack has not.
 */
export async function makeNodeItem(
  own: Pick<NodeItem, "project_id" | "node_id" | "name" | "index">,
  request: NodeCreate,
  type: KnownType | PlaceholderType,
  hardware: Hardware,
  console: number | null,
  unknownSize?: Size,
): Promise<NodeItem> {
  const { name } = own;
  const symbol = request.symbol ?? DEFAULT_SYMBOL;
  const { width, height } = await symbolSize(symbol, unknownSize);
  return {
    ...own,
    status: STARTED_WHEN_CREATED.has(type) ? "started" : "stopped",
    links: {},
    wiring: 0,
    revision: 1,
    created_us: nowUs(),
    document: {
      command_line: null,
      compute_id: request.compute_id,
      console,
      console_auto_start: request.console_auto_start ?? false,
      console_type: consoleTypeOf(request, type),
      custom_adapters: request.custom_adapters ?? [],
      first_port_name: request.first_port_name ?? null,
      height,
      label: request.label ? { ...request.label, text: name } : defaultLabel(name, height),
      locked: request.locked ?? false,
      node_directory: null,
      node_type: type,
      ...hardware,
      port_name_format: request.port_name_format ?? "Ethernet{0}",
      port_segment_size: request.port_segment_size ?? 0,
      symbol,
      template_id: request.template_id ?? null,
      width,
      x: request.x ?? 0,
      y: request.y ?? 0,
      z: request.z ?? 1,
    },
  };
}
