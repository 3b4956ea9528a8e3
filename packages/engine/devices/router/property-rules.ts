/**
 * The rules between the values of ports and interfaces: valid addresses, subnets that do not overlap, pools inside their subnet.
 * Messages are self-contained, because the console prints them, too.
 */

import type { Path, PropertyReader } from "../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../wire/ipv4-address.ts";
import type { PoolSpec } from "./dhcp-pool-shape.ts";
import { hostProblem4, hostProblem6 } from "./host-addresses.ts";
import { type Place, placesOf } from "./port-kind.ts";
import { MIN_IPV6_MTU_BYTES } from "./port-shape.ts";
import { contains4, contains6, formatPrefix4, formatPrefix6, overlaps, type Prefix4 } from "./prefix.ts";
import type { PortDraft } from "./property-drafts.ts";

/** @param ports null if the list itself is invalid. */
export function checkRules(
  ports: readonly PortDraft[] | null,
  interfaces: readonly PortDraft[],
  reader: PropertyReader,
): void {
  const places = placesOf([...(ports ?? []), ...interfaces]);
  for (const [index, place] of places.entries()) {
    checkPort(place.draft, place.path, reader);
    checkAgainstOthers(place, places.slice(0, index), reader);
  }
}

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
