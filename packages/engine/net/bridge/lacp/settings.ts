/** The settings of bundles: several ports between two switches that are one port for learning, forwarding and the spanning tree. */
import { anyOf, flag, unspoken, type ValueOf } from "../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { readShape, required, type SpecOf, schemaOfShape, setting } from "../../../settings/shape.ts";
import { portList, type SwitchShape } from "../settings/kinds.ts";

const hash = anyOf("mac", "ip", "port");
const mode = anyOf("active", "passive", "on");

const BUNDLE = {
  ports: required(portList, {
    about: "the first stands for the bundle in every other setting and report",
  }),
  mode: setting(mode, "active", {
    about: "active sends LACP, passive answers only, on uses the ports without any protocol",
  }),
  rate: setting(anyOf("slow", "fast"), "slow", {
    about: "which LACP frames the switch asks the other end for: slow is one in 30 s, fast one a second",
  }),
  hash: setting(hash, "mac", { about: "what of a frame decides which port carries it" }),
  fallback: setting(flag, false, {
    about: "whether the first port with a link is used alone while the other end sends no LACP",
  }),
} as const;

export type BundleMode = ValueOf<typeof mode>;
export type BundleHash = ValueOf<typeof hash>;
/** The ports are in ascending order. */
export type BundleSettings = SpecOf<typeof BUNDLE>;

/** Bundles have no port in common, and the ports of a bundle are alike. */
export const bundles = unspoken<readonly BundleSettings[], SwitchShape>(
  (reader, value, path, shape) => {
    const found: BundleSettings[] = [];
    for (const [index, given] of (reader.array(value, path, 0, shape.ports.length) ?? []).entries()) {
      const at = [...path, index];
      const read = readShape<SwitchShape, typeof BUNDLE>(reader, given, at, BUNDLE, shape, (bundle) => {
        checkPorts(bundle.ports ?? [], found, shape, reader, [...at, "ports"]);
        if (bundle.mode !== "on") return;
        for (const key of ["rate", "fallback"] as const)
          if ((given as Partial<BundleSettings>)[key] !== undefined)
            reader.add([...at, key], "is a setting of LACP, which a bundle with mode on does not use");
      });
      if (read) found.push({ ...read, ports: read.ports.toSorted((a, b) => a - b) });
    }
    return found;
  },
  () => ({ type: "array", items: schemaOfShape(BUNDLE) }),
);

function checkPorts(
  listed: readonly number[],
  before: readonly BundleSettings[],
  { ports }: SwitchShape,
  reader: PropertyReader,
  path: Path,
): void {
  const lowest = Math.min(...listed);
  const first = ports[lowest];
  for (const [index, port] of listed.entries()) {
    const own = ports[port];
    if (before.some((bundle) => bundle.ports.includes(port)))
      reader.add([...path, index], "is in an earlier bundle");
    else if (own?.type !== first?.type || own?.vlan !== first?.vlan || own?.etherType !== first?.etherType)
      reader.add(
        [...path, index],
        `has another type, VLAN or ethertype than port ${lowest} of the same bundle`,
      );
  }
}
