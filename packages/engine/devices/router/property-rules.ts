/**
 * The rules between the values of a configuration: valid addresses of ports, subnets that do not overlap,
 * pools inside their subnet, gateways on a connected one. Messages are self-contained, because the console prints them, too.
 */

import type { Path, PropertyReader } from "../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6, isLinkLocal, isMulticastIpv6 } from "../../wire/ipv6-address.ts";
import { MIN_IPV6_MTU_BYTES } from "./config.ts";
import type { PoolSpec } from "./dhcp-pool-shape.ts";
import {
  broadcast4,
  contains4,
  contains6,
  formatAnyAddress,
  formatAnyPrefix,
  formatPrefix4,
  formatPrefix6,
  hasBroadcast,
  isPrefix4,
  network4,
  network6,
  overlaps,
  type Prefix4,
  type Prefix6,
} from "./prefix.ts";
import type { PortDraft, RouteDraft } from "./property-drafts.ts";
import { DEFAULT_DISTANCE, isRejection } from "./routes/route-spec.ts";

/** @param ports null if the list itself is invalid. */
export function checkRules(
  ports: readonly PortDraft[] | null,
  interfaces: readonly PortDraft[],
  routes: readonly RouteDraft[],
  reader: PropertyReader,
): void {
  const places = placesOf(ports ?? [], interfaces);
  for (const [index, place] of places.entries()) {
    checkPort(place.draft, place.path, reader);
    checkAgainstOthers(place, places.slice(0, index), reader);
  }
  for (const [index, route] of routes.entries()) {
    const own = places.filter(({ draft }) => draft.vrf === route.vrf);
    checkRoute(route, ["routes", index], ports && own, reader);
    if (route.vrf && ports && own.length === 0)
      reader.add(["routes", index, "vrf"], `no interface is in the VRF ${route.vrf}`);
    checkRepeated(route, index, routes, reader);
  }
}

/** A port or another interface, and its names in `properties` and in messages. */
interface Place {
  readonly draft: PortDraft;
  readonly path: Path;
  readonly label: string;
}

const placesOf = (ports: readonly PortDraft[], interfaces: readonly PortDraft[]): Place[] => [
  ...ports.map((draft, index) => ({ draft, path: ["ports", index], label: `port ${index}` })),
  ...interfaces.map((draft, index) => ({
    draft,
    path: ["interfaces", index],
    label: `interface ${draft.name ?? index}`,
  })),
];

function checkPort({ ipv4, ipv6, mtuBytes, dhcp }: PortDraft, path: Path, reader: PropertyReader): void {
  const wrong4 = ipv4 && hostProblem4(ipv4.address, ipv4);
  if (wrong4) reader.add([...path, "ipv4"], wrong4);
  const wrong6 = ipv6 && hostProblem6(ipv6);
  if (wrong6) reader.add([...path, "ipv6"], wrong6);
  if (ipv6 && mtuBytes !== null && mtuBytes < MIN_IPV6_MTU_BYTES)
    reader.add(
      [...path, "mtu"],
      `an MTU of ${mtuBytes} is too small for IPv6: ${MIN_IPV6_MTU_BYTES} or more`,
    );
  if (dhcp && ipv4 === undefined)
    reader.add([...path, "dhcp"], "DHCP needs an IPv4 address on the same port");
  if (dhcp && ipv4 && !wrong4) checkPool(dhcp, ipv4, [...path, "dhcp"], reader);
}

/** Returns why no host of a subnet can have an address; undefined if one can. */
function hostProblem4(address: number, subnet: Prefix4): string | undefined {
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

function hostProblem6({ address, prefixLength }: Prefix6): string | undefined {
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

function checkPool(pool: PoolSpec, subnet: Prefix4, path: Path, reader: PropertyReader): void {
  const [first, last] = [parseIpv4(pool.first)!, parseIpv4(pool.last)!];
  const reserved = (pool.reservations ?? []).map(
    ({ address }, index) => [["reservations", index, "address"], parseIpv4(address)!] as const,
  );
  for (const [key, address] of [[["first"], first], [["last"], last], ...reserved] as const) {
    const wrong = contains4(subnet, address)
      ? hostProblem4(address, subnet)
      : `${formatIpv4(address)} is not in the port's subnet ${formatPrefix4(subnet)}`;
    if (wrong !== undefined) reader.add([...path, ...key], wrong);
  }
  for (const [key, address] of reserved)
    if (address === subnet.address)
      reader.add([...path, ...key], `${formatIpv4(address)} is the port's own address`);
  if (first > last)
    reader.add([...path, "last"], `the pool ends at ${formatIpv4(last)}, before ${formatIpv4(first)}`);
  if (first <= subnet.address && subnet.address <= last)
    reader.add(path, `the pool contains the port's own address ${formatIpv4(subnet.address)}`);
}

function checkAgainstOthers(
  { draft: port, path }: Place,
  others: readonly Place[],
  reader: PropertyReader,
): void {
  for (const { draft: other, label } of others) {
    if (port.name !== null && port.name.toLowerCase() === other.name?.toLowerCase())
      reader.add([...path, "name"], `${port.name} is also the name of ${label}`);
    // Each VRF has addresses of its own.
    if (port.vrf !== other.vrf) continue;
    if (port.ipv4 && other.ipv4 && overlaps(contains4, port.ipv4, other.ipv4))
      reader.add(
        [...path, "ipv4"],
        overlapMessage(formatPrefix4(port.ipv4), formatPrefix4(other.ipv4), label),
      );
    if (port.ipv6 && other.ipv6 && overlaps(contains6, port.ipv6, other.ipv6))
      reader.add(
        [...path, "ipv6"],
        overlapMessage(formatPrefix6(port.ipv6), formatPrefix6(other.ipv6), label),
      );
  }
}

const overlapMessage = (own: string, other: string, label: string): string =>
  `the subnet of ${own} overlaps that of ${label}, ${other}`;

function checkRoute(
  { to, via, track }: RouteDraft,
  path: Path,
  places: readonly Place[] | null,
  reader: PropertyReader,
): void {
  const hostBits = to && hostBitsProblem(to);
  if (hostBits) reader.add([...path, "to"], hostBits);
  const connected = to && places?.find(({ draft }) => isSubnetOf(draft, to));
  if (to && connected)
    reader.add([...path, "to"], `${formatAnyPrefix(to)} is the subnet of ${connected.label}`);
  if (track != null && to && typeof track !== typeof to.address)
    reader.add(
      [...path, "track"],
      `${formatAnyPrefix(to)} and ${formatAnyAddress(track)} are of different families`,
    );
  if (isRejection(via)) {
    if (track !== undefined) reader.add([...path, "track"], `a ${via} route has no gateway to track by`);
  } else if (to && via !== null && typeof to.address !== typeof via)
    reader.add(
      [...path, "via"],
      `${formatAnyPrefix(to)} and ${formatAnyAddress(via)} are of different families`,
    );
  else if (via !== null && places !== null) {
    const wrong = gatewayProblem(via, places);
    if (wrong !== undefined) reader.add([...path, "via"], wrong);
  }
}

function hostBitsProblem(to: Prefix4 | Prefix6): string | undefined {
  const { prefixLength } = to;
  const cleared: Prefix4 | Prefix6 = isPrefix4(to)
    ? { address: network4(to.address, prefixLength), prefixLength }
    : { address: network6(to.address, prefixLength), prefixLength };
  if (cleared.address === to.address) return undefined;
  return `${formatAnyPrefix(to)} has bits set after its prefix; the network is ${formatAnyPrefix(cleared)}`;
}

function isSubnetOf(port: PortDraft, to: Prefix4 | Prefix6): boolean {
  if (isPrefix4(to)) return port.ipv4?.prefixLength === to.prefixLength && contains4(port.ipv4, to.address);
  return port.ipv6?.prefixLength === to.prefixLength && contains6(port.ipv6, to.address);
}

/** Why no packet can be sent by way of an address. */
export function gatewayProblem(
  via: number | bigint,
  places: readonly Pick<Place, "draft">[],
): string | undefined {
  const text = formatAnyAddress(via);
  if (typeof via === "bigint" && isLinkLocal(via))
    return `${text} is a link-local address: name a gateway by its global one`;
  const subnets = places.map(({ draft }) => (typeof via === "number" ? draft.ipv4 : draft.ipv6));
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

const distanceOfDraft = ({ distance }: RouteDraft): number | null =>
  distance === undefined ? DEFAULT_DISTANCE : distance;

function checkRepeated(
  route: RouteDraft,
  index: number,
  routes: readonly RouteDraft[],
  reader: PropertyReader,
): void {
  const { to, via } = route;
  if (to === null || via === null || route.distance === null) return;
  const text = formatAnyPrefix(to);
  const distance = distanceOfDraft(route);
  const before = routes
    .slice(0, index)
    .find(
      (other) =>
        other.to !== null &&
        other.vrf === route.vrf &&
        distanceOfDraft(other) === distance &&
        (other.via === via || isRejection(other.via) || isRejection(via)) &&
        formatAnyPrefix(other.to) === text,
    );
  if (before === undefined) return;
  const as = distance === DEFAULT_DISTANCE ? "" : ` with distance ${distance}`;
  if (before.via === via) reader.add(["routes", index, "to"], `there is this route to ${text}${as} already`);
  else
    reader.add(
      ["routes", index, "via"],
      `there is a route to ${text}${as} already: only gateways share packets, so give this one another distance`,
    );
}
