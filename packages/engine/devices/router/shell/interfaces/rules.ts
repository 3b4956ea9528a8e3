/** The rules of interfaces that ports do not have: a subinterface has a port, and tags of its own there; a tunnel has ends. */

import { MIN_IPV6_MTU_BYTES } from "../../../../net/address/mtus.ts";
import { contains4, formatPrefix4 } from "../../../../net/address/prefix.ts";
import { portOfSubinterface } from "../../../../net/plane/tags.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { PortDraft } from "../../services/base/property-drafts.ts";
import { checkSvi } from "../../services/switching/rules.ts";
import { checkVxlan, type VxlanTaken } from "../../services/vxlan/rules.ts";
import type { InterfaceDraft } from "./read.ts";

/** @param ports null if the list itself is invalid. */
export function checkInterfaces(
  interfaces: readonly InterfaceDraft[],
  ports: readonly PortDraft[] | null,
  reader: PropertyReader,
): void {
  const taken = new Map<string, string>();
  const all =
    ports &&
    [...ports, ...interfaces.filter(({ type }) => type !== "gre" && type !== "vxlan")].filter(
      ({ vrf }) => vrf === undefined,
    );
  const candidates = ports && [...ports, ...interfaces];
  const segments: VxlanTaken = { vnis: new Map(), members: new Map() };
  for (const [index, each] of interfaces.entries()) {
    if (each.type === "gre") checkGre(each, index, all, taken, reader);
    if (each.type === "vxlan") checkVxlan(each, index, all, candidates, segments, reader);
    if (each.type !== "vlan" && each.type !== "svi" && each.type !== "vxlan" && each.vrrp !== undefined)
      reader.add(["interfaces", index, "vrrp"], "VRRP needs Ethernet: a port, a subinterface or an SVI");
    if (each.type === "vlan" && ports !== null) checkVlan(each, index, ports, taken, reader);
    if (each.type === "svi") checkSvi(each.name, index, reader);
    if (each.type === "loopback" && each.dhcp !== undefined)
      reader.add(["interfaces", index, "dhcp"], "a loopback interface has no hosts to lease addresses to");
  }
}

/** @param others the interfaces that are no tunnels; null if the list of ports is invalid. */
function checkGre(
  { name, local, remote, key, ipv4, dhcp }: InterfaceDraft,
  index: number,
  others: readonly PortDraft[] | null,
  taken: Map<string, string>,
  reader: PropertyReader,
): void {
  const add = (of: string, message: string): null => reader.add(["interfaces", index, of], message);
  if (dhcp !== undefined) add("dhcp", "a tunnel has no hosts to lease addresses to");
  if (!local || !remote) return;
  const isOwn = (address: string): boolean =>
    others?.some((each) => each.ipv4 && formatIpv4(each.ipv4.address) === address) ?? false;
  const isKnown = others?.every((each) => each.ipv4 !== null) ?? false;
  if (isKnown && !isOwn(local))
    add("local", `${local} is not the address of a port, subinterface or loopback interface`);
  if (isOwn(remote)) add("remote", `${remote} is the router's own address`);
  // Packets to the remote end would take the tunnel, in packets to the remote end.
  if (ipv4 && contains4(ipv4, parseIpv4(remote)!))
    add("remote", `${remote} is in the tunnel's own subnet ${formatPrefix4(ipv4)}`);
  const ends = `gre ${local} ${remote} ${key ?? "-"}`;
  const other = taken.get(ends);
  if (other !== undefined) add("remote", `${other} is a tunnel with the same ends and key`);
  else taken.set(ends, name ?? String(index));
}

/** @param taken the interface of each port's tags. */
function checkVlan(
  { name, vlan, outerVlan, ipv6 }: InterfaceDraft,
  index: number,
  ports: readonly PortDraft[],
  taken: Map<string, string>,
  reader: PropertyReader,
): void {
  if (name === null) return;
  const at = portOfSubinterface(name, ports);
  const port = at === undefined ? undefined : ports[at];
  if (port === undefined) {
    const message = `${name} is of no port: a subinterface is named for its port, as ${ports[0]?.name}.10`;
    reader.add(["interfaces", index, "name"], message);
    return;
  }
  if (port.switchport) {
    const message = `${port.name} is a switched port: the interface of its VLAN ${vlan} is vlan${vlan}, of type svi`;
    reader.add(["interfaces", index, "name"], message);
  }
  if (ipv6 && port.mtuBytes !== null && port.mtuBytes < MIN_IPV6_MTU_BYTES)
    reader.add(
      ["interfaces", index, "ipv6"],
      `the MTU of ${port.name}, ${port.mtuBytes}, is too small for IPv6: ${MIN_IPV6_MTU_BYTES} or more`,
    );
  if (vlan === null || outerVlan === null) return;
  const key = `${at} ${outerVlan ?? "-"} ${vlan}`;
  const other = taken.get(key);
  if (other === undefined) taken.set(key, name);
  else {
    const tags = outerVlan === undefined ? `VLAN ${vlan}` : `VLAN ${vlan} in ${outerVlan}`;
    reader.add(["interfaces", index, "vlan"], `${tags} of ${port.name} is that of ${other}`);
  }
}
