/** The rules between the values of a port or an interface: addresses, a pool inside its subnet, and no OSPF in a VRF. */
import { hostProblem4 } from "../../../net/address/host-addresses.ts";
import { contains4, formatPrefix4, type Prefix4 } from "../../../net/address/prefix.ts";
import type { PoolSpec } from "../../../net/dhcp/pool-shape.ts";
import { checkAddresses } from "../../../net/plane/address-rules.ts";
import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { PortDraft } from "../services/base/property-drafts.ts";

export const checkRules = (ports: readonly PortDraft[], reader: PropertyReader): void =>
  checkAddresses(ports, reader, ({ ipv4, dhcp, spec }, path) => {
    if (dhcp && ipv4 === undefined)
      reader.add([...path, "dhcp"], "DHCP needs an IPv4 address on the same port");
    if (spec?.ospf && spec.vrf !== undefined)
      reader.add([...path, "ospf"], "a port of a VRF has no OSPF, which runs among the ports without one");
    if (dhcp && ipv4 && hostProblem4(ipv4.address, ipv4) === undefined)
      checkPool(dhcp, ipv4, [...path, "dhcp"], reader);
  });

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
