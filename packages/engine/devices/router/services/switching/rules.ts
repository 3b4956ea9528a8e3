/** The rules of switched ports and of the interfaces of their VLANs. */

import { vlanOfSvi } from "../../../../net/plane/svi.ts";
import type { PropertyReader } from "../../../../settings/property-reader.ts";
import type { PortDraft } from "../base/property-drafts.ts";

/** What a switched port cannot have: it is of layer 3. */
const LAYER_3 = ["ipv4", "ipv6", "dhcp", "vrrp", "vrf"] as const satisfies readonly (keyof PortDraft)[];

export function checkSwitchedPorts(ports: readonly PortDraft[], reader: PropertyReader): void {
  for (const [index, port] of ports.entries()) {
    const { name, switchport, acls } = port;
    if (!switchport) continue;
    const which = name ?? `port ${index}`;
    const message = `${which} is a switched port: the interface vlan${switchport.vlan} can have this for its VLAN`;
    for (const key of [
      ...LAYER_3.filter((each) => port[each] !== undefined),
      ...(port.pbr === undefined ? [] : ["pbr_policy"]),
      ...Object.entries(acls ?? {}).flatMap(([each, list]) => (list === undefined ? [] : [each])),
    ])
      reader.add(["ports", index, key], message);
  }
}

export function checkSvi(name: string | null, index: number, reader: PropertyReader): void {
  if (name === null || vlanOfSvi(name) !== undefined) return;
  const message = `${name} names no VLAN: a switched virtual interface is vlan1 to vlan4094`;
  reader.add(["interfaces", index, "name"], message);
}
