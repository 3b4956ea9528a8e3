/** `interface ...`: makes and removes interfaces beyond the ports. */

import type { InterfaceType } from "../../../../net/plane/config.ts";
import type { Shape } from "../../../../settings/shape.ts";
import { record } from "../../../../settings/words.ts";
import type {
  InterfaceProperties,
  RouterInterfaceSpec,
  RouterProperties,
} from "../../services/base/config.ts";
import { VXLAN_WORDS } from "../../services/vxlan/settings.ts";
import { INTERFACE_TYPES, KIND_KEYS, KINDS } from "./spec.ts";

const WORDS: Readonly<Record<InterfaceType, Shape<unknown>>> = { ...KINDS, vxlan: VXLAN_WORDS };
const NAMES: Readonly<Record<string, string>> = { vlan: "PORT.N", svi: "vlanN" };

/** The words after `interface` for each type. */
export const KIND_SYNTAX = Object.fromEntries(
  Object.entries(WORDS).map(([type, shape]) => [
    type,
    [type, record(shape).placeholder].filter(Boolean).join(" "),
  ]),
) as Readonly<Record<InterfaceType, string>>;

const USAGE = (["vlan", "loopback", "gre", "svi", "vxlan"] as const)
  .map((type) => `interface ${NAMES[type] ?? "NAME"} ${KIND_SYNTAX[type]}`)
  .join(" | ");

/** @returns the changed properties, or an error. An interface that exists keeps its addresses. */
export function addInterface(
  properties: RouterProperties,
  [name, type, ...args]: readonly string[],
): RouterProperties | string {
  const kind = readKind(type?.toLowerCase(), args);
  if (name === undefined || kind === undefined) return `Usage: ${USAGE}`;
  const { interfaces = [] } = properties;
  const index = interfaces.findIndex((each) => isNamed(each.name, name));
  if (index === -1) return { ...properties, interfaces: [...interfaces, { name, ...kind }] };
  const kept = Object.fromEntries(
    Object.entries(interfaces[index]!).filter(([key]) => key !== "type" && !KIND_KEYS.includes(key)),
  );
  return { ...properties, interfaces: interfaces.with(index, { ...kept, ...kind }) };
}

export function removeInterface(properties: RouterProperties, name: string): RouterProperties | string {
  const { interfaces = [] } = properties;
  const kept = interfaces.filter((each) => !isNamed(each.name, name));
  if (kept.length === interfaces.length)
    return `There is no interface ${name} to remove: show ip lists them; ports stay`;
  return { ...properties, interfaces: kept };
}

/** The command that makes an interface, without what it shares with ports. */
export const interfaceLine = ({ name, type, ...kind }: RouterInterfaceSpec): string =>
  ["interface", name, type, record(WORDS[type]).words(kind)].filter(Boolean).join(" ");

const isNamed = (own: string | undefined, name: string): boolean => own?.toLowerCase() === name.toLowerCase();

function readKind(given: string | undefined, words: readonly string[]): InterfaceProperties | undefined {
  const type = INTERFACE_TYPES.find((known) => known === given);
  const kind = type && (record(WORDS[type]).parse(words) as InterfaceProperties | undefined);
  return kind && { type, ...kind };
}
