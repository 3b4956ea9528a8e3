/** Parses the property `bundles` of a switch: a list of { "ports", "mode", "rate", "hash", "fallback" }. */
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { readFlag, readOneOf, readPortList, type SwitchShape } from "../settings/reader.ts";
import { BUNDLE_DEFAULTS, type BundleSettings } from "./settings.ts";

const KEYS = ["ports", "mode", "rate", "hash", "fallback"];

export function readBundles(reader: PropertyReader, value: unknown, shape: SwitchShape): BundleSettings[] {
  const bundles: BundleSettings[] = [];
  for (const [index, each] of (reader.array(value, ["bundles"], 0, shape.ports.length) ?? []).entries()) {
    const bundle = readBundle(reader, each, ["bundles", index], shape, bundles);
    if (bundle !== undefined) bundles.push(bundle);
  }
  return bundles;
}

function readBundle(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  shape: SwitchShape,
  before: readonly BundleSettings[],
): BundleSettings | undefined {
  const given = reader.object(value, path, KEYS);
  if (given === null) return undefined;
  const listed = readPortList(reader, given.ports, [...path, "ports"], shape);
  const ports = listed.toSorted((a, b) => a - b);
  for (const [index, port] of listed.entries()) {
    const at = [...path, "ports", index];
    const own = shape.ports[port]!;
    const first = shape.ports[ports[0]!]!;
    if (before.some((bundle) => bundle.ports.includes(port))) reader.add(at, `is in an earlier bundle`);
    else if (own.type !== first.type || own.vlan !== first.vlan || own.etherType !== first.etherType)
      reader.add(at, `has another type, VLAN or ethertype than port ${ports[0]} of the same bundle`);
  }
  const bundle: BundleSettings = {
    ports,
    mode: readOneOf(reader, given.mode, [...path, "mode"], ["active", "passive", "on"], BUNDLE_DEFAULTS.mode),
    rate: readOneOf(reader, given.rate, [...path, "rate"], ["slow", "fast"], BUNDLE_DEFAULTS.rate),
    hash: readOneOf(reader, given.hash, [...path, "hash"], ["mac", "ip", "port"], BUNDLE_DEFAULTS.hash),
    fallback: readFlag(reader, given.fallback, [...path, "fallback"], BUNDLE_DEFAULTS.fallback),
  };
  if (bundle.mode === "on")
    for (const key of ["rate", "fallback"] as const)
      if (given[key] !== undefined)
        reader.add([...path, key], "is a setting of LACP, which a bundle with mode on does not use");
  return ports.length > 0 ? bundle : undefined;
}
