/** `interface ...`: makes and removes interfaces beyond the ports. */
import type { RouterInterfaceSpec, RouterProperties } from "../config.ts";
import type { InterfaceKind, KindProperties } from "./spec.ts";

const USAGE = "interface PORT.N vlan ID [outer ID] | interface NAME loopback";

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
  const { vlan: _vlan, outer_vlan: _outer, ...kept } = interfaces[index]!;
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
export const interfaceLine = ({ name, ...kind }: RouterInterfaceSpec): string =>
  `interface ${name} ${formatWords(kind)}`;

const isNamed = (own: string | undefined, name: string): boolean => own?.toLowerCase() === name.toLowerCase();

function formatWords(kind: InterfaceKind): string {
  if (kind.type === "loopback") return kind.type;
  const { vlan, outerVlan } = kind;
  return `vlan ${vlan}${outerVlan === undefined ? "" : ` outer ${outerVlan}`}`;
}

function readKind(type: string | undefined, args: readonly string[]): KindProperties | undefined {
  if (type === "loopback") return args.length === 0 ? { type } : undefined;
  return type === "vlan" ? readVlan(type, args) : undefined;
}

function readVlan(type: "vlan", [id, word, outer, ...rest]: readonly string[]): KindProperties | undefined {
  if (!isNumber(id) || rest.length > 0) return undefined;
  if (word === undefined) return { type, vlan: Number(id) };
  if (word.toLowerCase() !== "outer" || !isNumber(outer)) return undefined;
  return { type, vlan: Number(id), outer_vlan: Number(outer) };
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);
