/** Opens the wire behind a cloud. */
import type { Outside } from "@wirelab/lab/model/outside";
import { openSocat } from "./socat.ts";
import { openUdp } from "./udp.ts";
import { openVxlan } from "./vxlan.ts";
import type { Receive, Wire } from "./wire.ts";

/** @throws DataError in words, if the address or the interface cannot be used. */
export function openWire(outside: Outside, receive: Receive): Promise<Wire> {
  switch (outside.kind) {
    case "udp":
      return openUdp(outside.listen, outside.to, receive);
    case "vxlan":
      return openVxlan(outside.vni, outside.listen, outside.to, receive);
    case "tap":
      return openSocat(`TUN,tun-type=tap,iff-no-pi,iff-up,tun-name=${outside.name}`, receive);
    case "interface":
      return openSocat(`INTERFACE:${outside.name}`, receive);
  }
}
