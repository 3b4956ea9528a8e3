/** The settings of virtual routers: as they are configured, and with the names of the API's `properties`. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import { formatIpv6, isLinkLocal, isMulticastIpv6, parseIpv6 } from "../../../wire/ipv6-address.ts";
import { PRIORITY_OWNER } from "../../../wire/vrrp.ts";
import { contains4, contains6, formatAnyPrefix, type Prefix4, type Prefix6 } from "../prefix.ts";

/** A virtual router of an interface: one of IPv4, one of IPv6, or both. */
export interface VrrpSpec {
  readonly id: number;
  readonly ipv4?: readonly string[];
  /** The first is link-local (RFC 9568, section 5.2.9). */
  readonly ipv6?: readonly string[];
  /** That of a router without the addresses as its own; an owner's is `PRIORITY_OWNER`. */
  readonly priority: number;
  /** Time between advertisements, in centiseconds. */
  readonly intervalCs: number;
  readonly preempt: boolean;
  /** Whether a master that does not own the virtual addresses takes packets to them. */
  readonly accept: boolean;
  readonly track?: VrrpTrack;
}

/** The priority is lower by `decrement` while the interface is down. */
export interface VrrpTrack {
  readonly interface: string;
  readonly decrement: number;
}

export interface VrrpProperties {
  id?: number;
  ipv4?: string[];
  ipv6?: string[];
  priority?: number;
  advertisement_interval_cs?: number;
  preempt?: boolean;
  accept?: boolean;
  track?: Partial<VrrpTrack>;
}

export const MAX_VIRTUAL_ROUTERS = 16;
export const MAX_VIRTUAL_ADDRESSES = 16;
export const MAX_VRRP_ID = 255;
export const DEFAULT_PRIORITY = 100;
export const DEFAULT_INTERVAL_CS = 100;
/** Twelve bits of an advertisement. */
export const MAX_INTERVAL_CS = 4_095;

const KEYS = ["id", "ipv4", "ipv6", "priority", "advertisement_interval_cs", "preempt", "accept", "track"];

/** The addresses of the interface; null stands for an invalid one. */
interface Own {
  readonly ipv4: Prefix4 | null | undefined;
  readonly ipv6: Prefix6 | null | undefined;
}

/** @returns null if a value is invalid: the reader then has the problem. */
export function readVrrp(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  own: Own,
): readonly VrrpSpec[] | null {
  const given = reader.array(value, path, 0, MAX_VIRTUAL_ROUTERS);
  if (given === null) return null;
  const read = given.map((each, index) => readOne(reader, each, [...path, index], own));
  for (const [index, each] of read.entries())
    if (each !== null && read.findIndex((other) => other?.id === each.id) < index)
      reader.add([...path, index, "id"], `virtual router ${each.id} is configured already`);
  return read.includes(null) ? null : (read as VrrpSpec[]);
}

function readOne(reader: PropertyReader, value: unknown, path: Path, own: Own): VrrpSpec | null {
  const vrrp = reader.object(value, path, KEYS);
  if (vrrp === null) return null;
  const { priority = DEFAULT_PRIORITY, preempt = true, accept = true } = vrrp;
  const interval = vrrp.advertisement_interval_cs ?? DEFAULT_INTERVAL_CS;
  const read = {
    id: reader.integer(vrrp.id, [...path, "id"], 1, MAX_VRRP_ID),
    ipv4: reader.optional(vrrp.ipv4, (list) => readAddresses4(reader, list, [...path, "ipv4"], own.ipv4)),
    ipv6: reader.optional(vrrp.ipv6, (list) => readAddresses6(reader, list, [...path, "ipv6"], own.ipv6)),
    priority: reader.integer(priority, [...path, "priority"], 1, PRIORITY_OWNER - 1),
    intervalCs: reader.integer(interval, [...path, "advertisement_interval_cs"], 1, MAX_INTERVAL_CS),
    preempt: reader.boolean(preempt, [...path, "preempt"]),
    accept: reader.boolean(accept, [...path, "accept"]),
    track: reader.optional(vrrp.track, (track) => readTrack(reader, track, [...path, "track"])),
  };
  if (vrrp.ipv4 === undefined && vrrp.ipv6 === undefined)
    return reader.add(path, "a virtual router needs addresses: ipv4, ipv6 or both");
  if (Object.values(read).includes(null)) return null;
  const { ipv4, ipv6, track, ...others } = read;
  return { ...others, ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }), ...(track && { track }) } as VrrpSpec;
}

function readTrack(reader: PropertyReader, value: unknown, path: Path): VrrpTrack | null {
  const track = reader.object(value, path, ["interface", "decrement"]);
  if (track === null) return null;
  const name = reader.text(track.interface, [...path, "interface"]);
  const decrement = reader.integer(track.decrement, [...path, "decrement"], 1, PRIORITY_OWNER - 1);
  return name === null || decrement === null ? null : { interface: name, decrement };
}

function readAddresses4(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  own: Prefix4 | null | undefined,
): string[] | null {
  return readAddresses(reader, value, path, own, {
    parse: (text) => parseIpv4(text),
    what: "an IPv4 address",
    format: formatIpv4,
    wrongOf: (address, subnet) =>
      contains4(subnet, address) ? undefined : notIn(formatIpv4(address), subnet),
  });
}

function readAddresses6(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  own: Prefix6 | null | undefined,
): string[] | null {
  return readAddresses(reader, value, path, own, {
    parse: (text) => parseIpv6(text),
    what: "an IPv6 address",
    format: formatIpv6,
    wrongOf(address, subnet, index) {
      const text = formatIpv6(address);
      if (isMulticastIpv6(address)) return `${text} is a multicast address`;
      if (index === 0)
        return isLinkLocal(address) ? undefined : `the first virtual address is link-local, unlike ${text}`;
      return isLinkLocal(address) || contains6(subnet, address) ? undefined : notIn(text, subnet);
    },
  });
}

const notIn = (text: string, subnet: Prefix4 | Prefix6): string =>
  `${text} is not in the interface's subnet ${formatAnyPrefix(subnet)}`;

interface Family<A, P> {
  readonly parse: (text: string) => A | null;
  readonly what: string;
  readonly format: (address: A) => string;
  readonly wrongOf: (address: A, subnet: P, index: number) => string | undefined;
}

function readAddresses<A, P extends { readonly address: A }>(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  own: P | null | undefined,
  { parse, what, format, wrongOf }: Family<A, P>,
): string[] | null {
  const given = reader.array(value, path, 1, MAX_VIRTUAL_ADDRESSES);
  if (given === null) return null;
  if (own === undefined)
    return reader.add(path, `the interface has no address of this family, and VRRP needs one`);
  const read = given.map((each, index) => {
    const at = [...path, index];
    const address = reader.parsed(each, at, parse, what);
    if (address === null || own === null) return address;
    const wrong = wrongOf(address, own, index);
    return wrong === undefined ? address : reader.add(at, wrong);
  });
  for (const [index, address] of read.entries())
    if (address !== null && read.indexOf(address) < index)
      return reader.add([...path, index], `${format(address)} is in the list already`);
  if (own && read.length > 1 && read.includes(own.address) && typeof own.address === "number")
    return reader.add(
      path,
      `${format(own.address)} is the interface's own: its owner has no other virtual address`,
    );
  return read.includes(null) ? null : read.map((address) => format(address!));
}

interface Named {
  readonly name: string | null;
  readonly vrrp?: readonly VrrpSpec[] | null | undefined;
}

/** Checks that what virtual routers track exists, unless a name is invalid. */
export function checkVrrpTracks(
  ports: readonly Named[],
  interfaces: readonly Named[],
  reader: PropertyReader,
): void {
  const all = [...ports, ...interfaces];
  if (all.some(({ name }) => name === null)) return;
  for (const [at, { vrrp }] of all.entries()) {
    const path = at < ports.length ? ["ports", at] : ["interfaces", at - ports.length];
    for (const [index, { track }] of (vrrp ?? []).entries()) {
      if (track === undefined || all.some(({ name }) => isSame(name!, track.interface))) continue;
      reader.add([...path, "vrrp", index, "track", "interface"], `there is no interface ${track.interface}`);
    }
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const formatVrrp = ({
  id,
  ipv4,
  ipv6,
  priority,
  intervalCs,
  preempt,
  accept,
  track,
}: VrrpSpec): VrrpProperties => ({
  id,
  ...(ipv4 && { ipv4: [...ipv4] }),
  ...(ipv6 && { ipv6: [...ipv6] }),
  priority,
  advertisement_interval_cs: intervalCs,
  preempt,
  accept,
  ...(track && { track: { ...track } }),
});

/** The command that configures a virtual router; defaults are omitted. */
export function vrrpLine(
  name: string,
  { id, ipv4, ipv6, priority, intervalCs, preempt, accept, track }: VrrpSpec,
): string {
  return [
    `vrrp ${name} ${id}`,
    ...(ipv4 ? [`ip ${ipv4.join(" ")}`] : []),
    ...(ipv6 ? [`ipv6 ${ipv6.join(" ")}`] : []),
    ...(priority === DEFAULT_PRIORITY ? [] : [`priority ${priority}`]),
    ...(intervalCs === DEFAULT_INTERVAL_CS ? [] : [`advertisement-interval ${intervalCs * 10}`]),
    ...(preempt ? [] : ["preempt off"]),
    ...(accept ? [] : ["accept off"]),
    ...(track ? [`track ${track.interface} ${track.decrement}`] : []),
  ].join(" ");
}
