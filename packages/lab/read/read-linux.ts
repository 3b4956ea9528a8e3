/** Reads a node with a Linux guest. */
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import type { LinuxSpec, Step } from "@wirelab/engine/devices/linux/spec";
import { macOf } from "@wirelab/engine/devices/node-kind";
import { checkShape, shown } from "../file/check-shape.ts";
import { formatPath, type Path, type Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";
import type { Expansion } from "./expansion.ts";
import { readCollect } from "./read-collect.ts";
import { type GuestFiles, type LookAt, readGuestFiles } from "./read-guest-files.ts";
import type { LoadFile } from "./read-replay.ts";

const PREFIX = /^[0-9a-fA-F.:]+\/[0-9]+$/;
const MAX_PORTS = linuxKind.macs.perNode;
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
  readonly look?: LookAt | undefined;
  readonly expansion: Expansion;
}

export function makeLinux(
  name: string,
  value: object,
  { index, portsUsed, guests, load, look, expansion }: LinuxContext,
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
  checkInterfaces(given.interfaces, count, [...path, "interfaces"], problems);
  if (!expansion.take("ports", count, path)) return undefined;
  const files = readGuestFiles(given.files ?? {}, { load, look }, path, problems);
  return {
    spec: {
      type: "linux",
      name,
      image,
      ports: count,
      mac: macOf(linuxKind.macs, index),
      addresses,
      ...(given.interfaces && { interfaces: given.interfaces }),
      ...files,
      commands: listOf(commands).flatMap((text) => text.trimEnd().split("\n")),
      ...(given.main && { main: placed(given.main, [...path, "main"]) }),
      ...(given.exec && { steps: given.exec.map((step, index) => placed(step, [...path, "exec", index])) }),
      makeDevice: guests?.makeDevice,
    },
    ports: Array.from({ length: count }, (_, port) => given.interfaces?.[port] ?? `eth${port}`),
    isStarted: given.started ?? true,
    addresses: [...addresses.flat(), ...listOf(given.addresses ?? []), ...routerAddresses(files)].map(
      (address) => address.split("/")[0]!,
    ),
    ...(given.collect !== undefined && { collect: readCollect(given.collect, path, problems) }),
  };
}

const ROUTER_CONFIG = /^\/?etc\/frr\/(?:frr|zebra)\.conf$/;

/** Addresses that the configuration of FRR gives the node. */
const routerAddresses = ({ files }: GuestFiles): string[] =>
  Object.entries(files).flatMap(([path, text]) =>
    ROUTER_CONFIG.test(path)
      ? [...text.matchAll(/^\s+ip(?:v6)? address (\S+)/gm)].map(([, address]) => address!)
      : [],
  );

const INTERFACE = /^[^\s/:]{1,15}$/;

/** The kernel's rules for names of interfaces. */
function checkInterfaces(
  names: readonly string[] | undefined,
  ports: number,
  path: Path,
  problems: Problems,
): void {
  if (names === undefined) return;
  if (names.length !== ports) problems.add(path, `must name the ${ports} ports, got ${names.length} names.`);
  for (const [index, name] of names.entries())
    if (
      !INTERFACE.test(name) ||
      name === "lo" ||
      name === "." ||
      name === ".." ||
      names.indexOf(name) < index
    )
      problems.add(
        [...path, index],
        `must be a name of its own with up to 15 characters, got ${shown(name)}.`,
      );
}

const placed = (
  { run, place }: { readonly run: readonly string[]; readonly place?: string | undefined },
  path: Path,
): Step => ({ run, place: place ?? formatPath(path) });

const listOf = (value: string | readonly string[] | null): readonly string[] =>
  value === null || value === "" ? [] : typeof value === "string" ? [value] : value;
