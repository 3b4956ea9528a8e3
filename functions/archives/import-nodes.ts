/** The nodes of an imported lab. */
import type * as z from "zod/mini";
import { ApiError } from "../shared/edge/errors.ts";
import type { LabCopy } from "../shared/lab-copy/lab-copy.ts";
import type { Size } from "../shared/node/appearance.ts";
import { type Hardware, type Properties, withoutNulls } from "../shared/node/hardware.ts";
import { makeHardware } from "../shared/node/make-hardware.ts";
import {
  consoleTypeOf,
  emulatedType,
  isKnown,
  KNOWN_TYPES,
  makeNodeItem,
  NUMBERED,
} from "../shared/node/node-item.ts";
import { makePlaceholder } from "../shared/node/placeholder-hardware.ts";
import { serviceTypeOf } from "../shared/node/service-types.ts";
import { consoleAt, FIRST_CONSOLE, hasConsole, LAST_CONSOLE } from "../shared/schemas/console-number.ts";
import { uuidAsGiven } from "../shared/schemas/ids.ts";
import {
  isPlaceholder,
  type KnownType,
  type NodeCreate,
  nodeCreate,
  type PlaceholderType,
} from "../shared/schemas/node.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import type { FileLink, FileNode } from "./topology-file.ts";
import { refuseImport } from "./zip-reader.ts";

/** A node as it is to be made. */
export interface PlannedNode {
  /** Its id in the archive. */
  readonly oldId: string;
  readonly request: NodeCreate;
  readonly type: KnownType | PlaceholderType;
  readonly hardware: Hardware;
  /** Its number in the exported lab, which determines its MAC addresses. */
  readonly index: number | undefined;
  /** The size of its symbol in the project file, for a symbol that the stack has not. */
  readonly size: Size | undefined;
}

/** Fields of a node that have the same meaning in all revisions of the format. */
const KEPT = [
  "name",
  "console",
  "console_auto_start",
  "custom_adapters",
  "first_port_name",
  "locked",
  "port_name_format",
  "port_segment_size",
  "symbol",
] as const;

/** What happens to nodes that do not run here. */
export type Missing = "keep" | "refuse";

/**
 * @param own the lab as this service has exported it, if it has.
 * @throws ApiError `project.import-refused`
 */
export async function planNodes(
  nodes: readonly FileNode[],
  links: readonly FileLink[],
  own: LabCopy | undefined,
  missing: Missing,
): Promise<PlannedNode[]> {
  refuseTypes(nodes, missing);
  const copied = new Map(own?.nodes.map((node) => [node.node_id, node]));
  const names = new FreeNames();
  const planned: PlannedNode[] = [];
  const ids = new Set<string>();
  const ends = Map.groupBy(
    links.flatMap(({ nodes: ends }) => ends),
    ({ node_id }) => node_id.toLowerCase(),
  );
  for (const node of nodes) {
    const oldId = node.node_id.toLowerCase();
    if (ids.has(oldId)) throw refuseImport(`node ${node.name} has the id of another node`);
    ids.add(oldId);
    const copy = copied.get(oldId);
    const isPrivate = copy && serviceTypeOf(copy.document.node_type).isPrivate;
    const request = toRequest(node, isPrivate ? copy.document.properties : undefined);
    const name = names.take(request.name);
    const type = emulatedType(request) as PlannedNode["type"];
    const hardware = await explained(`node ${node.name}`, () =>
      isPlaceholder(type)
        ? placeholderOf(request, type, ends.get(oldId))
        : makeHardware(type, request.properties),
    );
    planned.push({
      oldId,
      request: { ...request, name },
      type,
      hardware,
      index: copy?.index,
      size: sizeOf(node),
    });
  }
  return planned;
}

const SHOWN = 5;

function placeholderOf(
  {
    properties = {},
    port_name_format = "Ethernet{0}",
    port_segment_size = 0,
    first_port_name = null,
    custom_adapters = [],
  }: NodeCreate,
  node_type: PlaceholderType,
  used: FileLink["nodes"] = [],
): Hardware {
  const described = { port_name_format, port_segment_size, first_port_name, custom_adapters };
  return makePlaceholder({ node_type, properties, ...described }, used);
}

function refuseTypes(nodes: readonly FileNode[], missing: Missing): void {
  const strange = nodes.filter((node) => {
    const type = emulatedType(node as unknown as NodeCreate);
    return !isKnown(type) && !(missing === "keep" && isPlaceholder(type));
  });
  if (strange.length === 0) return;
  const named = strange.slice(0, SHOWN).map(({ name, node_type }) => `${name} (${node_type})`);
  const more = strange.length > SHOWN ? ` and ${strange.length - SHOWN} more` : "";
  throw refuseImport(
    `no compute can run its nodes ${named.join(", ")}${more}; the types that run here are ${KNOWN_TYPES.join(", ")}`,
  );
}

function toRequest(node: FileNode, ownProperties: Properties | undefined): NodeCreate {
  const { custom_adapters, console, ...kept } = Object.fromEntries(
    KEPT.flatMap((key) => (node[key] == null ? [] : [[key, node[key]]])),
  );
  const label = labelOf(node.label);
  const result = nodeCreate.safeParse({
    ...kept,
    ...(console !== undefined && !isOutOfRange(console) && { console }),
    ...(Array.isArray(custom_adapters) && { custom_adapters: custom_adapters.map(withoutNullFields) }),
    name: node.name.replaceAll(" ", ""),
    node_type: node.node_type,
    compute_id: "local",
    // Revision 5 has `serial`, which is a telnet console since.
    ...(node.console_type != null && {
      console_type: node.console_type === "serial" ? "telnet" : node.console_type,
    }),
    ...(uuidAsGiven.safeParse(node.template_id).success && { template_id: node.template_id }),
    properties: ownProperties ?? propertiesOf(node),
    ...(label && { label }),
    x: whole(node.x, 0),
    y: whole(node.y, 0),
    z: whole(node.z, 1),
  });
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
  throw refuseImport(`node ${node.name}: ${path.join(".")} ${message}`);
}

const propertiesOf = ({ node_type, properties }: FileNode): Properties => {
  const given = (properties ?? {}) as Properties;
  return serviceTypeOf(node_type).imported?.(given) ?? given;
};

/** Such a number of a console is none. */
const isOutOfRange = (value: unknown): boolean =>
  typeof value === "number" && (value < 1 || value > LAST_CONSOLE);

const withoutNullFields = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? withoutNulls(value as Properties) : value;

function sizeOf({ width, height }: FileNode): Size | undefined {
  const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
  return isSize(width) && isSize(height) ? { width, height } : undefined;
}

/** Positions of old revisions may have fractions. */
export const whole = (value: unknown, fallback: number): number =>
  typeof value === "number" && Number.isFinite(value) ? Math.round(value) : fallback;

/** Returns the angle in the range that the service has: a full turn changes nothing. */
export const turn = (degrees: unknown): number => whole(degrees, 0) % FULL_TURN;
const FULL_TURN = 360;

/** Returns undefined for a label that the service is to make. */
export function labelOf(value: unknown): NodeCreate["label"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { text, style, x, y, rotation } = value as Record<string, unknown>;
  if (typeof text !== "string") return undefined;
  return {
    text,
    ...(style !== undefined && { style: typeof style === "string" ? style : null }),
    ...(x !== undefined && { x: typeof x === "number" ? whole(x, 0) : null }),
    ...(y !== undefined && { y: typeof y === "number" ? whole(y, 0) : null }),
    ...(typeof rotation === "number" && { rotation: turn(rotation) }),
  };
}

/** Hands out names: the wish, or the wish with the lowest free number at its end if it is taken (docs/interface.md, section 4.4). */
class FreeNames {
  readonly #taken = new Set<string>();
  /** Stem -> the numbers below are taken, and stay so. */
  readonly #next = new Map<string, number>();

  take(wish: string): string {
    const name = this.#taken.has(wish) ? this.#numbered(wish.replace(/\d+$/, "")) : wish;
    this.#taken.add(name);
    return name;
  }

  #numbered(stem: string): string {
    let number = this.#next.get(stem) ?? 1;
    while (this.#taken.has(stem + number)) number++;
    this.#next.set(stem, number + 1);
    return stem + number;
  }
}

/** @throws ApiError `project.import-refused` in the place of a fault of the request's schema. */
export async function explained<T>(what: string, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    throw refuseImport(`${what}: ${error.message.replace(/^Invalid request: (body(\.|: ))?/, "")}`);
  }
}

/** Returns whether clients open a console of the node here. */
const hasOwnConsole = ({ request, type }: PlannedNode): boolean =>
  !isPlaceholder(type) && hasConsole(consoleTypeOf(request, type));

/** Returns the items of the nodes, with free numbers for them and their consoles. @param idOf returns the new id of a node. */
export async function makeNodes(
  projectId: string,
  planned: readonly PlannedNode[],
  idOf: (oldId: string) => string,
): Promise<NodeItem[]> {
  const numbers = new Numbers(
    planned.flatMap(({ index }) => index ?? []),
    0,
  );
  const consoles = new Numbers(
    planned.flatMap((node) => (hasOwnConsole(node) ? (node.request.console ?? []) : [])),
    FIRST_CONSOLE,
  );
  const nodes: NodeItem[] = [];
  for (const node of planned) {
    const { oldId, request, type, hardware, index: wish, size } = node;
    const index = !isPlaceholder(type) && NUMBERED.has(type) ? numbers.take(wish) : undefined;
    const number = hasOwnConsole(node)
      ? consoles.take(request.console ?? undefined, consoleAt(index))
      : (request.console ?? null);
    const console = number !== null && number > LAST_CONSOLE ? null : number;
    const own = { project_id: projectId, node_id: idOf(oldId), name: request.name, index };
    nodes.push(await makeNodeItem(own, request, type, hardware, console, size));
  }
  // Lists have the order of creation.
  return nodes.map((node, position) => ({ ...node, created_us: node.created_us + position }));
}

/** Hands out whole numbers, each once. */
class Numbers {
  readonly #reserved: Set<number>;
  readonly #taken = new Set<number>();
  #next: number;

  /** @param reserved numbers that are only given to those who wish them. */
  constructor(reserved: readonly number[], first: number) {
    this.#reserved = new Set(reserved);
    this.#next = first;
  }

  /** @param usual is taken in the absence of a wish, unless another has it or wishes it. */
  take(wish: number | undefined, usual?: number): number {
    const isFree = usual !== undefined && !this.#reserved.has(usual);
    const first = wish ?? (isFree ? usual : undefined);
    const number = first === undefined || this.#taken.has(first) ? this.#lowest() : first;
    this.#taken.add(number);
    return number;
  }

  #lowest(): number {
    while (this.#taken.has(this.#next) || this.#reserved.has(this.#next)) this.#next += 1;
    return this.#next;
  }
}
