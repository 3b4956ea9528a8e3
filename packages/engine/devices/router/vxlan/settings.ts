/**
 * The settings of a VXLAN interface: a segment of Ethernet, with this router's own end, the other tunnel ends (VTEPs) that have the
 * segment, and interfaces of this router that are bridged with it.
 */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import { MAX_VNI, VXLAN_PORT } from "../../../wire/vxlan.ts";
import { AGEING_SECONDS } from "../../switch/mac-table.ts";

export interface VxlanKind {
  readonly type: "vxlan";
  readonly vni: number;
  /** The address of the outer packets: one of the router's own. */
  readonly local: string;
  /** The other ends, to which the router floods: a copy for each. */
  readonly remotes: readonly string[];
  readonly udpPort: number;
  /** The TTL of the outer packets. */
  readonly ttl: number;
  /** Seconds until an address is forgotten that sends nothing. */
  readonly ageingSeconds: number;
  /** Names of the interfaces that are bridged with the segment; absent if there are none. */
  readonly members?: readonly string[];
}

export interface VxlanProperties {
  vni?: number;
  local?: string;
  remotes?: string[];
  udp_port?: number;
  ttl?: number;
  ageing_time?: number;
  members?: string[];
}

export const VXLAN_KEYS = [
  "vni",
  "local",
  "remotes",
  "udp_port",
  "ttl",
  "ageing_time",
  "members",
] as const satisfies readonly (keyof VxlanProperties)[];

/** Null stands for an invalid value, undefined for an absent one. */
export interface VxlanDraft {
  readonly vni?: number | null | undefined;
  readonly local?: number | null | undefined;
  readonly remotes?: readonly (number | null)[] | null | undefined;
  readonly udpPort?: number | null | undefined;
  readonly ttl?: number | null | undefined;
  readonly ageingSeconds?: number | null | undefined;
  readonly members?: readonly (string | null)[] | null | undefined;
}

/** Ethernet, IPv4, UDP and VXLAN headers of the outer packet. */
export const VXLAN_OVERHEAD_BYTES = 50;
/** That of Linux for the packets of a host. */
const DEFAULT_TTL = 64;
const MAX_REMOTES = 64;
const MAX_MEMBERS = 64;
const MIN_AGEING_SECONDS = 10;
const MAX_AGEING_SECONDS = 1_000_000;

export function readVxlan(
  reader: PropertyReader,
  values: Readonly<Record<string, unknown>>,
  path: Path,
): VxlanDraft {
  const at = (key: string): Path => [...path, key];
  const address = (value: unknown, where: Path): number | null =>
    reader.parsed(value, where, parseIpv4, "an IPv4 address");
  const { remotes = [], members = [], udp_port, ttl, ageing_time } = values;
  const ends = reader.array(remotes, at("remotes"), 0, MAX_REMOTES);
  const names = reader.array(members, at("members"), 0, MAX_MEMBERS);
  return {
    vni: reader.integer(values.vni, at("vni"), 1, MAX_VNI),
    local: address(values.local, at("local")),
    remotes: ends && Array.from(ends, (end, index) => address(end, [...path, "remotes", index])),
    udpPort: reader.integer(udp_port ?? VXLAN_PORT, at("udp_port"), 1, 0xffff),
    ttl: reader.integer(ttl ?? DEFAULT_TTL, at("ttl"), 1, 255),
    ageingSeconds: reader.integer(
      ageing_time ?? AGEING_SECONDS,
      at("ageing_time"),
      MIN_AGEING_SECONDS,
      MAX_AGEING_SECONDS,
    ),
    members: names && Array.from(names, (name, index) => reader.text(name, [...path, "members", index])),
  };
}

/** Converts a draft without problems. */
export const toVxlan = (draft: VxlanDraft): VxlanKind => ({
  type: "vxlan",
  vni: draft.vni!,
  local: formatIpv4(draft.local!),
  remotes: draft.remotes!.map((remote) => formatIpv4(remote!)),
  udpPort: draft.udpPort!,
  ttl: draft.ttl!,
  ageingSeconds: draft.ageingSeconds!,
  ...(draft.members!.length > 0 && { members: draft.members as readonly string[] }),
});

export const formatVxlan = ({
  type,
  vni,
  local,
  remotes,
  udpPort,
  ttl,
  ageingSeconds,
  members,
}: VxlanKind): VxlanProperties & { type: "vxlan" } => ({
  type,
  vni,
  local,
  remotes: [...remotes],
  udp_port: udpPort,
  ttl,
  ageing_time: ageingSeconds,
  ...(members && { members: [...members] }),
});

export const VXLAN_USAGE =
  "interface NAME vxlan VNI LOCAL [remote ADDR] [member PORT] [port N] [ttl N] [ageing SECONDS]";

const NUMBERS: Readonly<Record<string, "udp_port" | "ttl" | "ageing_time">> = {
  port: "udp_port",
  ttl: "ttl",
  ageing: "ageing_time",
};

/** The words after `interface NAME`. */
export function vxlanWords(kind: VxlanKind): string {
  const { vni, local, remotes, udpPort, ttl, ageingSeconds, members = [] } = kind;
  return [
    `vxlan ${vni} ${local}`,
    ...remotes.map((remote) => `remote ${remote}`),
    ...members.map((member) => `member ${member}`),
    ...(udpPort === VXLAN_PORT ? [] : [`port ${udpPort}`]),
    ...(ttl === DEFAULT_TTL ? [] : [`ttl ${ttl}`]),
    ...(ageingSeconds === AGEING_SECONDS ? [] : [`ageing ${ageingSeconds}`]),
  ].join(" ");
}

/** @param args the words after `vxlan`. Undefined if they are wrong. */
export function readVxlanWords([vni, local, ...words]: readonly string[]):
  | (VxlanProperties & { type: string })
  | undefined {
  if (!isNumber(vni) || local === undefined || words.length % 2 !== 0) return undefined;
  const kind = { type: "vxlan", vni: Number(vni), local, remotes: [] as string[], members: [] as string[] };
  const numbers: VxlanProperties = {};
  for (let at = 0; at < words.length; at += 2) {
    const word = words[at]!.toLowerCase();
    const value = words[at + 1]!;
    const number = Object.hasOwn(NUMBERS, word) ? NUMBERS[word] : undefined;
    if (word === "remote") kind.remotes.push(value);
    else if (word === "member") kind.members.push(value);
    else if (number !== undefined && isNumber(value)) numbers[number] = Number(value);
    else return undefined;
  }
  return { ...kind, ...numbers };
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text);
