/** Which addresses hosts and gateways can have. */
import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6, isLinkLocal, isMulticastIpv6 } from "../../wire/ipv6-address.ts";
import {
  broadcast4,
  contains4,
  contains6,
  formatAnyAddress,
  hasBroadcast,
  isPrefix4,
  network4,
  network6,
  type Prefix4,
  type Prefix6,
} from "./prefix.ts";

/** The addresses of an interface; null stands for an invalid one. */
export interface Addresses {
  readonly ipv4: Prefix4 | null | undefined;
  readonly ipv6: Prefix6 | null | undefined;
}

/** Returns why no host of a subnet can have an address; undefined if one can. */
export function hostProblem4(address: number, subnet: Prefix4): string | undefined {
  const text = formatIpv4(address);
  const wrong = unroutedKind4(address);
  if (wrong !== undefined) return `${text} is ${wrong}`;
  if (subnet.prefixLength === 0) return `${text}/0 is no subnet`;
  if (!hasBroadcast(subnet)) return undefined;
  const net = `${formatIpv4(network4(subnet.address, subnet.prefixLength))}/${subnet.prefixLength}`;
  if (address === network4(address, subnet.prefixLength)) return `${text} is the network address of ${net}`;
  if (address === broadcast4(subnet)) return `${text} is the broadcast address of ${net}`;
  return undefined;
}

function unroutedKind4(address: number): string | undefined {
  const first = address >>> 24;
  if (first === 0) return "in 0.0.0.0/8, which no host can have";
  if (first === 127) return "a loopback address";
  if (first >= 224) return first < 240 ? "a multicast address" : "a reserved address";
  return address >>> 16 === 0xa9fe ? "a link-local address, which is not routed" : undefined;
}

export function hostProblem6({ address, prefixLength }: Prefix6): string | undefined {
  const text = formatIpv6(address);
  if (prefixLength === 0) return `${text}/0 is no subnet`;
  if (address >> 1n === 0n)
    return `${text} is ${address === 0n ? "the unspecified" : "the loopback"} address`;
  if (isMulticastIpv6(address)) return `${text} is a multicast address`;
  if (isLinkLocal(address)) return `${text} is a link-local address; the port makes its own`;
  if (address >> 32n === 0xffffn) return `${text} is a mapped IPv4 address`;
  // RFC 4291, 2.6.1: all routers of the subnet share it. RFC 6164 frees it on /127.
  if (prefixLength <= 126 && address === network6(address, prefixLength))
    return `${text} is the network address of ${text}/${prefixLength}`;
  return undefined;
}

/** Why no packet can be sent by way of an address. */
export function gatewayProblem(via: number | bigint, interfaces: readonly Addresses[]): string | undefined {
  const text = formatAnyAddress(via);
  if (typeof via === "bigint" && isLinkLocal(via))
    return `${text} is a link-local address: name a gateway by its global one`;
  const subnets = interfaces.map(({ ipv4, ipv6 }) => (typeof via === "number" ? ipv4 : ipv6));
  const subnet = subnets.find((each) => each && holds(each, via));
  if (!subnet) {
    // The gateway may be on the subnet of an invalid port address.
    return subnets.includes(null) ? undefined : `the gateway ${text} is not on the subnet of any port`;
  }
  if (subnet.address === via) return `the gateway ${text} is the router's own address`;
  return isPrefix4(subnet)
    ? hostProblem4(via as number, subnet)
    : hostProblem6({ address: via as bigint, prefixLength: subnet.prefixLength });
}

const holds = (subnet: Prefix4 | Prefix6, address: number | bigint): boolean =>
  isPrefix4(subnet) ? contains4(subnet, address as number) : contains6(subnet, address as bigint);
