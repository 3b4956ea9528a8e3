/**
 * A gateway to a simulated internet: gives addresses by DHCP, and is the router, the name server and all hosts of the internet that the lab
 * declares. Each host answers pings, and serves HTTP, echo, bulk data and NTP. A host that the lab does not declare does not answer.
 *
 * The translation of addresses cannot be seen from either side, so there is none.
 */
import type { World } from "../../base/world.ts";
import { HostNode } from "../../net/host/host-node.ts";
import type { HostState } from "../../net/host/state.ts";
import type { Device } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { type NatSpec, networkOf, servicesOf } from "./config.ts";

export type { NatSpec } from "./config.ts";
export { NAT_PORT_NAME } from "./config.ts";

export class Nat extends HostNode implements Device {
  readonly processingNs = PROCESSING_NS.nat;
  readonly console = undefined;

  constructor(spec: NatSpec, world: World, state?: HostState) {
    super(servicesOf(spec), networkOf(spec), world, state);
  }
}
