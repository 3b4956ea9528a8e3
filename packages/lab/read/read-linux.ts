/** Reads a node with a Linux guest. */
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { checkShape, shown } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";
import type { Expansion } from "./expansion.ts";
import { readCollect } from "./read-collect.ts";
import type { LoadFile } from "./read-replay.ts";

const PREFIX = /^[0-9a-fA-F.:]+\/[0-9]+$/;
const MAX_PORTS = 64;
/** A locally administered prefix; the node's number and the port's number fill the rest. */
const MAC_BASE = 0x0257_4c80_0000;
const DEFAULT_IMAGE = "debian";

/** What runs Linux guests; a page has none. */
export interface Guests {
  /** @returns why the image cannot be used, in words, or undefined. */
  problemOf(image: string): string | undefined;
  readonly makeDevice: NonNullable<LinuxSpec["makeDevice"]>;
}

export interface LinuxContext {
  readonly index: number;
  readonly portsUsed: number;
  readonly guests: Guests | undefined;
  readonly load: LoadFile;
  readonly expansion: Expansion;
}

export function makeLinux(
  name: string,
  value: object,
  { index, portsUsed, guests, load, expansion }: LinuxContext,
  path: Path,
  problems: Problems,
): Omit<NodeModel, "name" | "place"> | undefined {
  const { memory, ...others } = value as { readonly memory?: unknown };
  if (memory !== undefined)
    problems.add(
      [...path, "memory"],
      "cannot be set on a node: the saved state of its image has a fixed size. Build an image from a recipe with this `memory` (docs/linux-nodes.md).",
    );
  const given = checkShape(nodeSchemas.linux, others, path, problems);
  if (given === undefined) return undefined;
  const { image = DEFAULT_IMAGE, ports = Math.max(1, portsUsed), commands = [] } = given;
  const problem =
    guests === undefined
      ? "Linux nodes do not run here; play the lab file with the command wirelab, or with POST /labs/run of a service"
      : guests.problemOf(image);
  if (problem !== undefined) problems.add([...path, "image"], `cannot be used: ${problem}.`);
  const addresses = typeof ports === "number" ? [] : ports.map((port) => listOf(port));
  for (const [port, list] of addresses.entries())
    for (const address of list)
      if (!PREFIX.test(address))
        problems.add(
          [...path, "ports", port],
          `must be an address with prefix length, got ${shown(address)}.`,
        );
  const count = typeof ports === "number" ? ports : Math.max(addresses.length, portsUsed);
  if (count > MAX_PORTS) {
    problems.add([...path, "ports"], `must be at most ${MAX_PORTS} ports, got ${count}.`);
    return undefined;
  }
  if (!expansion.take("ports", count, path)) return undefined;
  return {
    spec: {
      type: "linux",
      name,
      image,
      ports: count,
      mac: MAC_BASE + index * MAX_PORTS,
      addresses,
      files: readFiles(given.files ?? {}, load, path, problems),
      commands: listOf(commands).flatMap((text) => text.trimEnd().split("\n")),
      makeDevice: guests?.makeDevice,
    },
    ports: Array.from({ length: count }, (_, port) => `eth${port}`),
    isStarted: given.started ?? true,
    addresses: addresses.flat().map((address) => address.split("/")[0]!),
    ...(given.collect !== undefined && { collect: readCollect(given.collect, path, problems) }),
  };
}

type GivenFile = string | { readonly from: string };

function readFiles(
  files: Readonly<Record<string, GivenFile>>,
  load: LoadFile,
  path: Path,
  problems: Problems,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [target, file] of Object.entries(files)) {
    try {
      texts[target] = typeof file === "string" ? file : new TextDecoder().decode(load(file.from));
    } catch (error) {
      problems.add([...path, "files", target], `cannot be read: ${(error as Error).message}.`);
    }
  }
  return texts;
}

const listOf = (value: string | readonly string[] | null): readonly string[] =>
  value === null || value === "" ? [] : typeof value === "string" ? [value] : value;
