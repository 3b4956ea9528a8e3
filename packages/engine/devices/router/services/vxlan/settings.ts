/**
 * The settings of a VXLAN interface: a segment of Ethernet, with this router's own end, the other tunnel ends (VTEPs) that have the
 * segment, and interfaces of this router that are bridged with it.
 */

import { AGEING_SECONDS } from "../../../../net/bridge/mac-table.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { list } from "../../../../settings/collections.ts";
import { integer, seconds, text } from "../../../../settings/kind.ts";
import { required, setting, unlessEmpty } from "../../../../settings/shape.ts";
import { MAX_VNI, VXLAN_PORT } from "../../../../wire/vxlan.ts";

/** Ethernet, IPv4, UDP and VXLAN headers of the outer packet. */
export const VXLAN_OVERHEAD_BYTES = 50;
/** The TTL of Linux for the packets of a host. */
const DEFAULT_TTL = 64;
const MAX_REMOTES = 64;
const MAX_MEMBERS = 64;

export const VXLAN = {
  vni: required(integer(1, MAX_VNI, { placeholder: "VNI" }), { about: "the number of the segment" }),
  local: required(
    { ...ipv4, placeholder: "LOCAL" },
    { about: "the address of the outer packets: one of the router's own" },
  ),
  remotes: setting(list(ipv4, { max: MAX_REMOTES }), [], {
    about: "the other ends, to which the router floods: a copy for each",
    line: "remote",
    isRepeated: true,
  }),
  udp_port: setting(integer(1, 0xffff), VXLAN_PORT, { name: "udpPort", line: "port" }),
  ttl: setting(integer(1, 255), DEFAULT_TTL, { about: "the TTL of the outer packets" }),
  ageing_time: setting(seconds(10, 1_000_000), AGEING_SECONDS, {
    about: "seconds until an address is forgotten that sends nothing",
    name: "ageingSeconds",
    line: "ageing",
  }),
  members: unlessEmpty(list(text("PORT"), { max: MAX_MEMBERS }), {
    about: "names of the interfaces that are bridged with the segment",
    line: "member",
    isRepeated: true,
  }),
} as const;

const { vni, local, remotes, members, ...numbers } = VXLAN;
/** In the order of the words of a line. */
export const VXLAN_WORDS = { vni, local, remotes, members, ...numbers } as const;
