/** Reads a node with a Linux guest. */
import { linuxKind } from "@wirelab/engine/devices/linux/kind";
import { HOSTNAME, type Step } from "@wirelab/engine/devices/linux/spec";
import { checkShape, shown } from "../file/check-shape.ts";
import { formatPath, type Path, type Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import { listOf, type ReadForm } from "./node-form.ts";
import { readCollect } from "./read-collect.ts";
import { type GuestFiles, readGuestFiles } from "./read-guest-files.ts";

const PREFIX = /^[0-9a-fA-F.:]+\/[0-9]+$/;
const MAX_PORTS = linuxKind.macs.perNode;
const DEFAULT_IMAGE = "debian";

export const readLinux: ReadForm = (value, { portsUsed, guests, load, look, expansion }, path, problems) => {
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
  const { hostname } = given;
  if (hostname !== undefined && !HOSTNAME.pattern.test(hostname))
    problems.add([...path, "hostname"], `${HOSTNAME.rule}, got ${shown(hostname)}.`);
  checkInterfaces(given.interfaces, count, [...path, "interfaces"], problems);
  if (!expansion.take("ports", count, path)) return undefined;
  const files = readGuestFiles(given.files ?? {}, { load, look }, path, problems);
  const { files: texts, ...more } = files;
  return {
    properties: {
      image,
      ...(hostname !== undefined && { hostname }),
      ports: Array.from({ length: count }, (_, port) => addresses[port] ?? []),
      files: texts,
      commands: listOf(commands).flatMap((text) => text.trimEnd().split("\n")),
    },
    isStarted: given.started ?? true,
    finish: (spec) =>
      spec.type !== "linux"
        ? spec
        : {
            ...spec,
            addresses,
            ...more,
            ...(given.interfaces && { interfaces: given.interfaces }),
            ...(given.main && { main: placed(given.main, [...path, "main"]) }),
            ...(given.exec && {
              steps: given.exec.map((step, index) => placed(step, [...path, "exec", index])),
            }),
            makeDevice: guests?.makeDevice,
          },
    model: {
      ...(given.interfaces && { ports: given.interfaces }),
      addresses: [...addresses.flat(), ...listOf(given.addresses), ...routerAddresses(files)].map(
        (address) => address.split("/")[0]!,
      ),
      ...(given.collect !== undefined && { collect: readCollect(given.collect, path, problems) }),
      beyond: BEYOND.filter((key) => given[key] !== undefined),
    },
  };
};

/** Keys for which the interface has no property. */
const BEYOND = ["interfaces", "main", "exec"] as const;

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
