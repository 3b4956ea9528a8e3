/**
 * The rules between the addresses of ports and interfaces: hosts can have them, and subnets do not overlap. Messages are
 * self-contained, because the console prints them, too.
 */
import type { Path, PropertyReader } from "../../settings/property-reader.ts";
import { hostProblem4, hostProblem6 } from "../address/host-addresses.ts";
import { MIN_IPV6_MTU_BYTES } from "../address/mtus.ts";
import { contains4, contains6, formatPrefix4, formatPrefix6, overlaps } from "../address/prefix.ts";
import { type Place, type PlaneDraft, placesOf } from "./places.ts";

/** @param ports and other interfaces. @param checkOthers further rules of each. */
export function checkAddresses<D extends PlaneDraft>(
  ports: readonly D[],
  reader: PropertyReader,
  checkOthers: (draft: D, path: Path) => void = () => {},
): void {
  const places = placesOf(ports);
  for (const [index, place] of places.entries()) {
    checkPort(place.draft, place.path, reader);
    checkOthers(place.draft, place.path);
    checkAgainstOthers(place, places.slice(0, index), reader);
  }
}

function checkPort({ ipv4, ipv6, mtuBytes }: PlaneDraft, path: Path, reader: PropertyReader): void {
  const wrong4 = ipv4 && hostProblem4(ipv4.address, ipv4);
  if (wrong4) reader.add([...path, "ipv4"], wrong4);
  const wrong6 = ipv6 && hostProblem6(ipv6);
  if (wrong6) reader.add([...path, "ipv6"], wrong6);
  if (ipv6 && mtuBytes !== null && mtuBytes < MIN_IPV6_MTU_BYTES)
    reader.add(
      [...path, "mtu"],
      `an MTU of ${mtuBytes} is too small for IPv6: ${MIN_IPV6_MTU_BYTES} or more`,
    );
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
