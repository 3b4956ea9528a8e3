/** Lowers a qualified id - `src net 10.0.0.0/8`, `port http`, `ip proto 89` - to its test. */
import { parseDecnet, parseDotted, parseInternetAddress, parseMac, prefixMask } from "../addresses.ts";
import type { Test } from "../flow.ts";
import { parseIpv6 } from "../ipv6-text.ts";
import { OFFSET_NOT_SET } from "../link-types.ts";
import { findNetwork, findProtocol } from "../names/protocols.ts";
import { findService, type Service } from "../names/services.ts";
import type { AddressType, Id, Ipv4Id, Qualifiers } from "../syntax.ts";
import type { LoweringContext } from "./context.ts";
import { type HostNoun, isEthernetHost, isIpv4Host, isIpv6Host, type MaskedAddress } from "./hosts.ts";
import { isPort, isPortInRange, type PortRange, type PortTransport } from "./ports.ts";
import { hasProtocolInChain } from "./protochain.ts";
import { isProtocolNumber } from "./protocols.ts";

const ALL_ONES = 0xffffffff;
const MAX_PORT = 65_535;

export function lowerPrimitive(context: LoweringContext, qualifiers: Qualifiers, id: Id): Test {
  switch (id.kind) {
    case "number":
      return lowerNumber(context, qualifiers, id.value);
    case "name":
      return lowerName(context, qualifiers, id.text);
    case "ipv4":
      return lowerDotted(context, qualifiers, id.text);
    case "ipv4-prefix":
    case "ipv4-mask":
      return lowerIpv4(context, qualifiers, resolveIpv4(context, qualifiers, id));
    case "ipv6":
      return lowerIpv6(context, qualifiers, id.text, 128);
    case "ipv6-prefix":
      return lowerIpv6(context, qualifiers, id.text, id.length);
    case "mac":
      return lowerMac(context, qualifiers, id.text);
    case "arcnet":
      return context.fail("bpf.unsupported", `"${id.text}" is an ARCnet address`);
  }
}

function lowerNumber(
  context: LoweringContext,
  { protocol, direction, type }: Qualifiers,
  value: number,
): Test {
  switch (type) {
    case "default":
    case "host":
    case "net": {
      if (protocol === "link") context.fail("bpf.bad-address", "a number is not a link-layer address");
      const shifted =
        type === "net" && protocol !== "decnet" ? alignNetwork(value) : { value, mask: ALL_ONES };
      return isIpv4Host(
        context,
        shifted.value,
        shifted.mask,
        protocol,
        direction,
        type === "net" ? "net" : "host",
      );
    }
    case "port":
    case "portrange": {
      const transport = portTransport(context, { protocol, direction, type });
      requirePort(context, value);
      if (type === "port") return isPort(context, value, transport, direction);
      return isPortInRange(context, { low: value, high: value }, transport, direction);
    }
    case "gateway":
      return refuseGateway(context);
    case "proto":
      return isProtocolNumber(context, value, protocol);
    case "protochain":
      return hasProtocolInChain(context, value, protocol);
  }
}

/** `net 10` is 10.0.0.0/8: leading zero bytes become trailing ones, and the mask covers the other bytes. */
function alignNetwork(network: number): { value: number; mask: number } {
  let value = network;
  let mask = ALL_ONES;
  while (value !== 0 && value >>> 24 === 0) {
    value = (value << 8) >>> 0;
    mask = (mask << 8) >>> 0;
  }
  return { value, mask };
}

function lowerDotted(context: LoweringContext, qualifiers: Qualifiers, text: string): Test {
  const { protocol, direction, type } = qualifiers;
  if (protocol !== "decnet") return lowerIpv4(context, qualifiers, resolveDotted(context, qualifiers, text));
  const noun = requireHostNoun(context, type);
  const node = parseDecnet(text);
  if (node === null) return context.fail("bpf.bad-address", `"${text}" is not a DECnet address`);
  return isIpv4Host(context, node, 0, protocol, direction, noun);
}

function lowerIpv4(
  context: LoweringContext,
  { protocol, direction, type }: Qualifiers,
  { value, mask }: MaskedAddress,
): Test {
  return isIpv4Host(context, value, mask, protocol, direction, type === "net" ? "net" : "host");
}

function requireHostNoun(context: LoweringContext, type: AddressType): HostNoun {
  if (type === "net") return "net";
  if (type === "default" || type === "host") return "host";
  return context.fail("bpf.bad-qualifier", `"${type}" does not go with an IPv4 address`);
}

/** Returns the address of an id that is not qualified by `decnet`. */
export function resolveIpv4(context: LoweringContext, qualifiers: Qualifiers, id: Ipv4Id): MaskedAddress {
  switch (id.kind) {
    case "ipv4":
      return resolveDotted(context, qualifiers, id.text);
    case "ipv4-prefix":
      return resolvePrefix(context, qualifiers, id.text, id.length);
    case "ipv4-mask":
      return resolveMasked(context, qualifiers, id.text, id.mask);
  }
}

function resolveDotted(
  context: LoweringContext,
  { protocol, type }: Qualifiers,
  text: string,
): MaskedAddress {
  requireHostNoun(context, type);
  const address = requireDotted(context, text);
  if (protocol === "link") context.fail("bpf.bad-address", "an IPv4 address is not a link-layer address");
  const [mask] = prefixMask(address.bits, 1);
  return { value: address.value, mask: mask! };
}

/** Returns the given parts in the high bits of a 32-bit address. */
function requireDotted(context: LoweringContext, text: string): { value: number; bits: number } {
  const address = parseDotted(text);
  if (address === null) return context.fail("bpf.bad-address", `"${text}" is not an IPv4 address`);
  return { value: (address.value << (32 - address.bits)) >>> 0, bits: address.bits };
}

function resolvePrefix(
  context: LoweringContext,
  qualifiers: Qualifiers,
  text: string,
  length: number,
): MaskedAddress {
  const { value } = requireDotted(context, text);
  if (length > 32) context.fail("bpf.bad-address", `an IPv4 prefix length is at most 32, not ${length}`);
  const [mask] = prefixMask(length, 1);
  return requireNetwork(context, qualifiers, value, mask!);
}

function resolveMasked(
  context: LoweringContext,
  qualifiers: Qualifiers,
  text: string,
  maskText: string,
): MaskedAddress {
  const { value } = requireDotted(context, text);
  return requireNetwork(context, qualifiers, value, requireDotted(context, maskText).value);
}

function requireNetwork(
  context: LoweringContext,
  { type }: Qualifiers,
  value: number,
  mask: number,
): MaskedAddress {
  if ((value & ~mask) !== 0) context.fail("bpf.bad-address", "the address has bits set outside its mask");
  if (type !== "net") context.fail("bpf.bad-qualifier", 'an address with a mask needs "net"');
  return { value, mask };
}

function lowerIpv6(context: LoweringContext, qualifiers: Qualifiers, text: string, length: number): Test {
  const { protocol, direction, type } = qualifiers;
  const address = parseIpv6(text);
  if (address === null) return context.fail("bpf.bad-address", `"${text}" is not an IPv6 address`);
  if (length > 128) context.fail("bpf.bad-address", `an IPv6 prefix length is at most 128, not ${length}`);
  const mask = prefixMask(length, 4);
  if (address.some((word, i) => (word & ~mask[i]!) !== 0)) {
    context.fail("bpf.bad-address", "the address has bits set outside its mask");
  }
  if (type !== "default" && type !== "host" && type !== "net") {
    return context.fail("bpf.bad-qualifier", `"${type}" does not go with an IPv6 address`);
  }
  if (type !== "net" && length !== 128)
    context.fail("bpf.bad-qualifier", 'an address with a mask needs "net"');
  return isIpv6Host(context, address, mask, protocol, direction, type === "net" ? "net" : "host");
}

function lowerMac(context: LoweringContext, { protocol, direction, type }: Qualifiers, text: string): Test {
  if ((type !== "host" && type !== "default") || protocol !== "link") {
    return context.fail("bpf.bad-qualifier", 'an Ethernet address needs "ether"');
  }
  if (context.linkType !== "DLT_EN10MB") {
    return context.fail("bpf.unsupported", `there are no Ethernet addresses on ${context.linkName}`);
  }
  return isEthernetHost(context, parseMac(text), direction);
}

function lowerName(context: LoweringContext, qualifiers: Qualifiers, name: string): Test {
  const { protocol, direction, type } = qualifiers;
  switch (type) {
    case "default":
    case "host":
      return lowerHostName(context, qualifiers, name);
    case "net": {
      const network = findNetwork(name);
      if (network === null) return context.fail("bpf.unknown-name", `"${name}" is not a known network`);
      return isIpv4Host(context, network, ALL_ONES, protocol, direction, "net");
    }
    case "port": {
      const service = findService(name);
      const transport = portTransport(context, qualifiers);
      if (service === null) return context.fail("bpf.unknown-name", `"${name}" is not a known port`);
      return isPort(context, service.port, agree(context, name, service.transport, transport), direction);
    }
    case "portrange":
      return lowerPortRange(context, qualifiers, name);
    case "gateway":
      return refuseGateway(context);
    case "proto":
    case "protochain": {
      const number = findProtocol(name, protocol);
      if (number === null) return context.fail("bpf.unknown-name", `"${name}" is not a known protocol here`);
      if (type === "proto") return isProtocolNumber(context, number, protocol);
      return hasProtocolInChain(context, number, protocol);
    }
  }
}

/** An escaped word may be an address; a host name would need DNS. */
function lowerHostName(context: LoweringContext, { protocol, direction }: Qualifiers, name: string): Test {
  const hasTypeField = context.typeField.constant !== OFFSET_NOT_SET;
  const v4 = protocol === "link" || protocol === "decnet" ? null : parseInternetAddress(name);
  if (v4 !== null && protocol !== "ip6") {
    const family = protocol === null && !hasTypeField ? "ip" : protocol;
    return isIpv4Host(context, v4, ALL_ONES, family, direction, "host");
  }
  const v6 = protocol === "link" || protocol === "decnet" ? null : parseIpv6(name);
  if (v6 !== null && protocol !== "ip") {
    const family = protocol === null && !hasTypeField ? "ip6" : protocol;
    return isIpv6Host(context, v6, prefixMask(128, 4), family, direction, "host");
  }
  return context.fail(
    "bpf.host-name",
    `"${name}" is a host name, and a filter cannot look up names: write the address`,
  );
}

function refuseGateway(context: LoweringContext): never {
  return context.fail("bpf.unsupported", '"gateway" needs host names and is not available');
}

/** Returns the transport before `port`; rejects anything but tcp, udp, sctp or none. */
export function portTransport(context: LoweringContext, { protocol, type }: Qualifiers): PortTransport {
  if (protocol === null || protocol === "tcp" || protocol === "udp" || protocol === "sctp") return protocol;
  return context.fail("bpf.bad-qualifier", `"${type}" cannot follow "${protocol}"`);
}

/** Rejects a service name that belongs to one transport and is qualified with another. */
function agree(
  context: LoweringContext,
  name: string,
  own: PortTransport,
  asked: PortTransport,
): PortTransport {
  if (own === null || asked === null || own === asked) return asked ?? own;
  return context.fail("bpf.bad-qualifier", `port "${name}" is a ${own} port`);
}

export function requirePort(context: LoweringContext, port: number): void {
  if (port > MAX_PORT) context.fail("bpf.bad-number", `a port is at most ${MAX_PORT}, not ${port}`);
}

const NUMERIC_RANGE = /^([0-9]+)-([0-9]+)/;

export function isNumericRange(name: string): boolean {
  return NUMERIC_RANGE.test(name);
}

export function resolveNumericRange(context: LoweringContext, name: string): PortRange {
  const [, low, high] = NUMERIC_RANGE.exec(name)!;
  const range = { low: Number(low), high: Number(high) };
  requirePort(context, range.low);
  requirePort(context, range.high);
  return range;
}

/** `80-90`, `ftp-ssh`. Text after a numeric range is ignored, as in libpcap: `80-90x` is `80-90`. */
function lowerPortRange(context: LoweringContext, qualifiers: Qualifiers, name: string): Test {
  const transport = portTransport(context, qualifiers);
  if (isNumericRange(name)) {
    return isPortInRange(context, resolveNumericRange(context, name), transport, qualifiers.direction);
  }
  const dash = name.indexOf("-");
  const ends = dash < 0 ? [] : [findService(name.slice(0, dash)), findService(name.slice(dash + 1))];
  if (ends.length === 0 || ends.includes(null)) {
    return context.fail("bpf.unknown-name", `"${name}" is not a range of known ports`);
  }
  const [low, high] = ends as [Service, Service];
  const own = low.transport === high.transport ? low.transport : null;
  const range = { low: low.port, high: high.port };
  return isPortInRange(context, range, agree(context, name, own, transport), qualifiers.direction);
}
