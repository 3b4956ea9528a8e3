/** The rules of interfaces that ports do not have: a subinterface has a port, and tags of its own there. */
import type { PropertyReader } from "../../property-reader.ts";
import { MIN_IPV6_MTU_BYTES } from "../config.ts";
import type { PortDraft } from "../property-drafts.ts";
import type { InterfaceDraft } from "./read.ts";
import { portOfSubinterface } from "./spec.ts";

/** @param ports null if the list itself is invalid. */
export function checkInterfaces(
  interfaces: readonly InterfaceDraft[],
  ports: readonly PortDraft[] | null,
  reader: PropertyReader,
): void {
  const taken = new Map<string, string>();
  for (const [index, each] of interfaces.entries()) {
    if (each.type === "vlan" && ports !== null) checkVlan(each, index, ports, taken, reader);
    if (each.type === "loopback" && each.dhcp !== undefined)
      reader.add(["interfaces", index, "dhcp"], "a loopback interface has no hosts to lease addresses to");
  }
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
