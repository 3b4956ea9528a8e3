/** Reads `nodes`: a map from names to types, addresses or objects. */
import { kindInLab } from "@wirelab/engine/devices/find-kind";
import type { Kind, LabType } from "@wirelab/engine/devices/kinds";
import { pcKind } from "@wirelab/engine/devices/pc/kind";
import { READERS } from "@wirelab/engine/devices/readers";
import * as z from "zod/mini";
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { NODE_TYPES, nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";
import type { NodeContext, ReadForm } from "./node-form.ts";
import { readCloud } from "./read-cloud.ts";
import { readLinux } from "./read-linux.ts";
import { isPcAddress, readPc } from "./read-pc.ts";
import { readRouter } from "./read-router.ts";
import { readServer } from "./read-server.ts";
import { readHub, readSwitch } from "./read-switch.ts";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

export interface NodeSurroundings extends Omit<NodeContext, "portsUsed"> {
  /** How many ports the links need, by node: a switch or hub without `ports` has at least these. */
  readonly portsUsed: ReadonlyMap<string, number>;
}

/** Types whose short forms in lab files are not the properties of the interface. */
const FORMS: Readonly<Partial<Record<LabType, ReadForm>>> = {
  pc: readPc,
  switch: readSwitch,
  hub: readHub,
  router: readRouter,
  server: readServer,
  linux: readLinux,
  cloud: readCloud,
};

const anyNode = z.looseObject({ type: z.string(), started: z.optional(z.boolean()) });

/** The file has the properties as they are. */
const asGiven =
  (type: LabType): ReadForm =>
  (value, _context, path, problems) => {
    const schema: z.ZodMiniType<object> = nodeSchemas[type] ?? anyNode;
    const given = checkShape(schema, value, path, problems);
    if (given === undefined) return undefined;
    const { type: _, started = true, ...properties } = given as { type?: unknown; started?: boolean };
    return { properties, isStarted: started };
  };

export function readNodes(
  data: Readonly<Record<string, unknown>>,
  { portsUsed, ...others }: NodeSurroundings,
  problems: Problems,
): NodeModel[] {
  let numbered = 0;
  const nodes: NodeModel[] = [];
  for (const [name, value] of Object.entries(data)) {
    const path = ["nodes", name];
    if (!NAME.test(name)) {
      problems.add(path, "is not a name of a node: letters, digits, and . _ - inside.");
      continue;
    }
    const given = expand(value, path, problems);
    if (given === undefined) continue;
    const index = given.kind.macs ? numbered++ : 0;
    const context = { ...others, portsUsed: portsUsed.get(name) ?? 0 };
    const node = make({ name, index }, given, context, path, problems);
    if (node) nodes.push({ ...node, name, place: problems.placeOf(path) });
  }
  return nodes;
}

interface Given {
  readonly kind: Kind;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Turns a text into the object that it stands for. */
function expand(value: unknown, path: Path, problems: Problems): Given | undefined {
  if (value === null || value === undefined) return { kind: pcKind, value: {} };
  if (typeof value === "string") {
    if (isPcAddress(value)) return { kind: pcKind, value: { ip: value } };
    const kind = kindInLab(value);
    if (kind) return { kind, value: { type: value } };
    problems.add(path, `must be a type or an address, got ${shown(value)}.`, {
      given: value,
      known: NODE_TYPES,
    });
    return undefined;
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    problems.add(path, `must be a type, an address or a map, got ${shown(value)}.`);
    return undefined;
  }
  const given = value as Readonly<Record<string, unknown>>;
  const kind = given.type === undefined ? pcKind : kindInLab(String(given.type));
  if (kind) return { kind, value: given };
  problems.add([...path, "type"], `is not a type: ${shown(given.type)}.`, {
    given: String(given.type),
    known: NODE_TYPES,
  });
  return undefined;
}

function make(
  own: { readonly name: string; readonly index: number },
  { kind, value }: Given,
  context: NodeContext,
  path: Path,
  problems: Problems,
): Omit<NodeModel, "name" | "place"> | undefined {
  const form = (FORMS[kind.labType] ?? asGiven(kind.labType))(value, context, path, problems);
  if (form === undefined) return undefined;
  const { properties, isStarted, placeOf = (at) => at, file, finish = (spec) => spec, model } = form;
  const read = READERS[kind.type](properties, own);
  if (!read.ok) {
    for (const { path: at, message } of read.problems)
      problems.add([...path, ...placeOf(at)], inFile(`${message}.`.replace(/\.\.$/, "."), at, file));
    return undefined;
  }
  const { ports, addresses, leftOut = [] } = read;
  for (const remark of leftOut)
    problems.warn([...path, "config"], `${inFile(remark, ["config"], file)}; it is left out`);
  return { spec: finish(read.spec), ports, isStarted, addresses, properties, ...model };
}

/** `r1.conf, line 3: ...` */
const inFile = (message: string, [key]: Path, file: string | undefined): string =>
  file !== undefined && key === "config" && message.startsWith("line ") ? `${file}, ${message}` : message;
