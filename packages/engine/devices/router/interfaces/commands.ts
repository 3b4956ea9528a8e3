/** `interface ...`: makes and removes interfaces beyond the ports. */
import type { RouterInterfaceSpec, RouterProperties } from "../config.ts";
import { readVxlanWords, VXLAN_KEYS, VXLAN_USAGE, vxlanWords } from "../vxlan/settings.ts";
import { DEFAULT_TUNNEL_TTL, type InterfaceKind, type KindProperties } from "./spec.ts";

const USAGE =
  "interface PORT.N vlan ID [outer ID] | interface NAME loopback | interface NAME gre LOCAL REMOTE [key N] [ttl N] | interface vlanN svi";
const USAGES = `${USAGE} | ${VXLAN_USAGE}`;

/** What an interface that gets another type loses. */
const KIND_KEYS: readonly string[] = ["type", "vlan", "outer_vlan", "remote", "key", ...VXLAN_KEYS];

/** @returns the changed properties, or an error. An interface that exists keeps its addresses. */
export function addInterface(
  properties: RouterProperties,
  [name, type, ...args]: readonly string[],
): RouterProperties | string {
  const kind = readKind(type?.toLowerCase(), args);
  if (name === undefined || kind === undefined) return `Usage: ${USAGES}`;
  const { interfaces = [] } = properties;
  const index = interfaces.findIndex((each) => isNamed(each.name, name));
  if (index === -1) return { ...properties, interfaces: [...interfaces, { name, ...kind }] };
  const kept = Object.fromEntries(
    Object.entries(interfaces[index]!).filter(([key]) => !KIND_KEYS.includes(key)),
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
export const interfaceLine = ({ name, ...kind }: RouterInterfaceSpec): string =>
  `interface ${name} ${formatWords(kind)}`;

const isNamed = (own: string | undefined, name: string): boolean => own?.toLowerCase() === name.toLowerCase();

function formatWords(kind: InterfaceKind): string {
  if (kind.type === "loopback" || kind.type === "svi") return kind.type;
  if (kind.type === "vxlan") return vxlanWords(kind);
  if (kind.type === "gre") {
    const { type, local, remote, key, ttl } = kind;
    const further = key === undefined ? "" : ` key ${key}`;
    return `${type} ${local} ${remote}${further}${ttl === DEFAULT_TUNNEL_TTL ? "" : ` ttl ${ttl}`}`;
  }
  const { vlan, outerVlan } = kind;
  return `vlan ${vlan}${outerVlan === undefined ? "" : ` outer ${outerVlan}`}`;
}

function readKind(type: string | undefined, args: readonly string[]): KindProperties | undefined {
  if (type === "loopback" || type === "svi") return args.length === 0 ? { type } : undefined;
  if (type === "gre") return readGre(type, args);
  if (type === "vxlan") return readVxlanWords(args);
  return type === "vlan" ? readVlan(type, args) : undefined;
}

function readVlan(type: "vlan", [id, word, outer, ...rest]: readonly string[]): KindProperties | undefined {
  if (!isNumber(id) || rest.length > 0) return undefined;
  if (word === undefined) return { type, vlan: Number(id) };
  if (word.toLowerCase() !== "outer" || !isNumber(outer)) return undefined;
  return { type, vlan: Number(id), outer_vlan: Number(outer) };
}

function readGre(type: "gre", [local, remote, ...words]: readonly string[]): KindProperties | undefined {
  if (local === undefined || remote === undefined || words.length % 2 !== 0) return undefined;
  let kind: KindProperties = { type, local, remote };
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at]!.toLowerCase();
    if ((word !== "key" && word !== "ttl") || !/^\d{1,10}$/.test(words[at + 1]!)) return undefined;
    kind = { ...kind, [word]: Number(words[at + 1]) };
  }
  return kind;
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);
