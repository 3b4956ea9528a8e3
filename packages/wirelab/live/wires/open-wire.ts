/** Opens the wire behind a cloud. */
import type { Outside } from "@wirelab/lab/model/outside";
import type { Network } from "./network.ts";
import { openSocat } from "./socat.ts";
import { openUdp } from "./udp.ts";
import { openVxlan } from "./vxlan.ts";
import type { Receive, Wire } from "./wire.ts";

/** @throws DataError in words, if the address or the interface cannot be used. */
export function openWire(network: Network, outside: Outside, receive: Receive): Promise<Wire> {
  switch (outside.kind) {
    case "udp":
      return openUdp(network, outside.listen, outside.to, receive);
    case "vxlan":
      return openVxlan(network, outside.vni, outside.listen, outside.to, receive);
    case "tap":
      return openSocat(network, `TUN,tun-type=tap,iff-no-pi,iff-up,tun-name=${outside.name}`, receive);
    case "interface":
      return openSocat(network, `INTERFACE:${outside.name}`, receive);
  }
}
