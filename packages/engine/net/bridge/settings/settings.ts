/** The settings of a switch beside its ports; each is absent when it is off. `docs/devices/switch.md` lists them. */
import { list } from "../../../settings/collections.ts";
import { integer, seconds, unspoken } from "../../../settings/kind.ts";
import { optional, readShape, required, type SpecOf } from "../../../settings/shape.ts";
import { record } from "../../../settings/words.ts";
import { isGroupMac } from "../../../wire/mac.ts";
import { igmpQuerier } from "../igmp/settings.ts";
import { bundles } from "../lacp/settings.ts";
import { lldp } from "../lldp/settings.ts";
import { mirror } from "../mirror.ts";
import { mldQuerier } from "../mld/settings.ts";
import { snooping } from "../multicast/settings.ts";
import { belongs } from "../ports.ts";
import { rstp } from "../rstp/settings.ts";
import { stormControl } from "../storm-control.ts";
import { macAddress, port, portList, type SwitchShape } from "./kinds.ts";

const MAX_STATIC_MACS = 256;
const MAX_VLAN = 4_094;

const STATIC_MAC = {
  mac: required(macAddress),
  vlan: optional(integer(1, MAX_VLAN), { about: "absent: the VLAN of the port" }),
  port: required(port),
} as const;

export interface StaticMac {
  readonly mac: number;
  readonly vlan: number;
  readonly port: number;
}

const staticMacs = unspoken<readonly StaticMac[], SwitchShape>(
  (reader, value, path, shape) => {
    const found: StaticMac[] = [];
    for (const [index, each] of (reader.array(value, path, 0, MAX_STATIC_MACS) ?? []).entries()) {
      const at = [...path, index];
      const given = readShape<SwitchShape, typeof STATIC_MAC>(reader, each, at, STATIC_MAC, shape);
      if (given === null) continue;
      const own = shape.ports[given.port]!;
      const { mac, port: number, vlan = own.vlan } = given;
      if (isGroupMac(mac)) reader.add([...at, "mac"], "is a group address; it must be that of one station");
      else if (!belongs(own, vlan)) reader.add([...at, "vlan"], `is not a VLAN of port ${number}`);
      else if (found.some((other) => other.mac === mac && other.vlan === vlan))
        reader.add([...at, "mac"], `has an entry in VLAN ${vlan} already`);
      else found.push({ mac, vlan, port: number });
    }
    return found;
  },
  list(record<SwitchShape, typeof STATIC_MAC>(STATIC_MAC), { max: MAX_STATIC_MACS }).schema,
);

export const SWITCH = {
  rstp: optional(rstp, { about: "a spanning tree" }),
  ageing_time: optional(seconds(10, 1_000_000), {
    about: "seconds after which a learned address is forgotten (IEEE 802.1Q, table 8-6); default 300",
  }),
  static_macs: optional(staticMacs, { about: "addresses that are neither learned nor forgotten" }),
  isolated_ports: optional(portList, { about: "ports that exchange frames with the other ports only" }),
  storm_control: optional(stormControl, {
    about: "by port number: how many packets per second the port takes",
  }),
  mirror: optional(mirror, { about: "a port that sends copies of what other ports receive and send" }),
  /** From the smallest MTU of IPv4 (RFC 791) to the largest frames of common switches. */
  mtu: optional(integer(68, 9_216), {
    about: "bytes of the largest packet that the switch forwards, without the Ethernet header and VLAN tags",
  }),
  lldp: optional(lldp, { about: "announcements to neighbours, who are learned" }),
  bundles: optional(bundles, { about: "ports that are one port together" }),
  igmp_snooping: optional(snooping(igmpQuerier), { about: "frames to groups of IPv4 go to members only" }),
  mld_snooping: optional(snooping(mldQuerier), { about: "the same for groups of IPv6" }),
} as const;

export type SwitchSettings = SpecOf<typeof SWITCH>;
