/** The settings of virtual routers. */

import {
  contains4,
  contains6,
  formatAnyPrefix,
  type Prefix4,
  type Prefix6,
} from "../../../../net/address/prefix.ts";
import type { Kind } from "../../../../settings/kind.ts";
import { flag, integer, text } from "../../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import { type Json, optional, required, type SpecOf, setting } from "../../../../settings/shape.ts";
import { record, records, syntaxOf, wordsOf } from "../../../../settings/words.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { formatIpv6, isLinkLocal, isMulticastIpv6, parseIpv6 } from "../../../../wire/ipv6-address.ts";
import { PRIORITY_OWNER } from "../../../../wire/vrrp.ts";

const MAX_VIRTUAL_ROUTERS = 16;
const MAX_VIRTUAL_ADDRESSES = 16;
const MAX_VRRP_ID = 255;
const DEFAULT_PRIORITY = 100;
const DEFAULT_INTERVAL_CS = 100;
/** Twelve bits of an advertisement. */
const MAX_INTERVAL_CS = 4_095;
const CENTISECOND_MS = 10;

/** The addresses of the interface; null stands for an invalid one. */
export interface Own {
  readonly ipv4: Prefix4 | null | undefined;
  readonly ipv6: Prefix6 | null | undefined;
}

interface Family<A, P> {
  readonly parse: (text: string) => A | null;
  readonly what: string;
  readonly format: (address: A) => string;
  readonly wrongOf: (address: A, subnet: P, index: number) => string | undefined;
}

const FAMILY4: Family<number, Prefix4> = {
  parse: parseIpv4,
  what: "an IPv4 address",
  format: formatIpv4,
  wrongOf: (address, subnet) => (contains4(subnet, address) ? undefined : notIn(formatIpv4(address), subnet)),
};

const FAMILY6: Family<bigint, Prefix6> = {
  parse: parseIpv6,
  what: "an IPv6 address",
  format: formatIpv6,
  wrongOf(address, subnet, index) {
    const shown = formatIpv6(address);
    if (isMulticastIpv6(address)) return `${shown} is a multicast address`;
    if (index === 0)
      return isLinkLocal(address) ? undefined : `the first virtual address is link-local, unlike ${shown}`;
    return isLinkLocal(address) || contains6(subnet, address) ? undefined : notIn(shown, subnet);
  },
};

const notIn = (address: string, subnet: Prefix4 | Prefix6): string =>
  `${address} is not in the interface's subnet ${formatAnyPrefix(subnet)}`;

const addresses = <A, P extends { readonly address: A }>(
  family: Family<A, P>,
  ownOf: (own: Own) => P | null | undefined,
): Kind<readonly string[], Own> => ({
  read: (reader, value, path, own) => readAddresses(reader, value, path, ownOf(own), family),
  placeholder: "ADDR...",
  words: (value) => value.join(" "),
  parse: (words) => (words.length === 0 ? undefined : [...words]),
  schema: () => ({ type: "array", items: { type: "string" }, minItems: 1, maxItems: MAX_VIRTUAL_ADDRESSES }),
});

const track = record({
  interface: required(text("PORT")),
  decrement: required(integer(1, PRIORITY_OWNER - 1)),
});

/** The settings after the number of a virtual router. */
export const VRRP_SETTINGS = {
  ipv4: optional(
    addresses(FAMILY4, ({ ipv4 }) => ipv4),
    { about: "virtual IPv4 addresses", line: "ip" },
  ),
  ipv6: optional(
    addresses(FAMILY6, ({ ipv6 }) => ipv6),
    {
      about: "virtual IPv6 addresses; the first is link-local (RFC 9568, section 5.2.9)",
    },
  ),
  /** An owner of the addresses has `PRIORITY_OWNER`. */
  priority: setting(integer(1, PRIORITY_OWNER - 1), DEFAULT_PRIORITY, {
    about: "which router is the master (100)",
  }),
  advertisement_interval_cs: setting(
    integer(1, MAX_INTERVAL_CS, { unit: CENTISECOND_MS, placeholder: "MS" }),
    DEFAULT_INTERVAL_CS,
    {
      about: "centiseconds between advertisements (100)",
      name: "intervalCs",
      line: "advertisement-interval",
    },
  ),
  preempt: setting(flag, true, { about: "whether it takes over from a master of lower priority" }),
  accept: setting(flag, true, {
    about: "whether a master that does not own the virtual addresses takes packets to them",
  }),
  track: optional(track, {
    about: "the priority is lower by the decrement while the interface is down",
    syntax: "PORT N|off",
  }),
} as const;

const SHAPE = { id: required(integer(1, MAX_VRRP_ID)), ...VRRP_SETTINGS } as const;

/** A virtual router of an interface: one of IPv4, one of IPv6, or both. */
export type VrrpSpec = SpecOf<typeof SHAPE>;

export const VRRP_SYNTAX = `PORT ID ${syntaxOf(VRRP_SETTINGS)}`;

const virtualRouters = records<Own, typeof SHAPE>(SHAPE, {
  max: MAX_VIRTUAL_ROUTERS,
  rules(draft, reader, path) {
    if (draft.ipv4 === undefined && draft.ipv6 === undefined)
      reader.add(path, "a virtual router needs addresses: ipv4, ipv6 or both");
  },
  between(all, reader, path) {
    for (const [index, each] of all.entries())
      if (each?.id && all.findIndex((other) => other?.id === each.id) < index)
        reader.add([...path, index, "id"], `virtual router ${each.id} is configured already`);
  },
});

/** The fingerprint of a configuration that was saved depends on the order of its keys. */
const inOrder = ({ ipv4, ipv6, track: tracked, ...others }: VrrpSpec): VrrpSpec => ({
  ...others,
  ...(ipv4 && { ipv4 }),
  ...(ipv6 && { ipv6 }),
  ...(tracked && { track: tracked }),
});

/** The virtual routers of an interface. */
export const vrrp: typeof virtualRouters = {
  ...virtualRouters,
  read: (...given) => virtualRouters.read(...given)?.map(inOrder) ?? null,
};

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

/** The line in the block of an interface; defaults are omitted. */
export const vrrpLine = (spec: VrrpSpec): string =>
  [`vrrp ${spec.id}`, ...wordsOf(VRRP_SETTINGS, spec)].join(" ");

declare module "../base/config.ts" {
  interface RouterPortSpec {
    readonly vrrp?: readonly VrrpSpec[];
  }
  interface PortProperties {
    vrrp?: Json<readonly VrrpSpec[]>;
  }
}
