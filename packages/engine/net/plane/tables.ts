/** The configuration in the form that packets need: addresses as numbers, ports and routes by address (make-tables.ts makes it). */

import type { Prefix4, Prefix6 } from "../address/prefix.ts";
import { IPV4, IPV6 } from "../fib/address-family.ts";
import { Rib } from "../fib/rib.ts";
import type { Route } from "../fib/route.ts";
import type { InterfaceType } from "./config.ts";
import type { Segment } from "./segment.ts";
import type { IdleRoute } from "./static-routes.ts";
import type { Switchport } from "./switchport.ts";
import type { Trunk } from "./tags.ts";
import type { Tunnel } from "./tunnel.ts";
import type { VirtualAddresses, VirtualStation } from "./virtual-addresses.ts";

export interface RouterPort {
  /** The number of a port; the other interfaces follow the ports. */
  readonly index: number;
  readonly kind: "port" | InterfaceType;
  readonly name: string;
  /** The VRF of the interface; absent for the default table. */
  readonly vrf?: string;
  readonly mac: number;
  readonly mtuBytes: number;
  /** Whether the port sends and receives. A port that does not has no addresses here, whatever its configuration. */
  readonly isUp: boolean;
  readonly ipv4: Interface4 | undefined;
  readonly ipv6: Interface6 | undefined;
  /** Answers router solicitations. */
  readonly advertises: boolean;
  /** Present while the router is the master of a virtual router there. */
  readonly virtual?: VirtualStation;
  /** Whether a virtual router of IPv6 has its place here: only its master then answers router solicitations. */
  readonly hasVirtual6?: true;
  /** Present on a subinterface. */
  readonly trunk?: Trunk;
  /** Present on a GRE tunnel. */
  readonly tunnel?: Tunnel;
  /** Present on an interface with a map of policy routing. */
  readonly pbr?: string;
  /** Present on a switched port. */
  readonly switchport?: Switchport;
  /** Present on an SVI. */
  readonly vlan?: number;
  /** Present on a VXLAN interface. */
  readonly segment?: Segment;
  /** The index of the VXLAN interface that an interface is bridged with. */
  readonly memberOf?: number;
}

export interface Interface4 extends Prefix4 {
  readonly mask: number;
  /** The directed broadcast address; undefined if the subnet has none. */
  readonly broadcast: number | undefined;
}

export interface Interface6 extends Prefix6 {
  readonly linkLocal: bigint;
}

export interface Tables extends Vrf {
  /** The ports, then the other interfaces, by index. */
  readonly ports: readonly RouterPort[];
  /** The subinterfaces, by port and tags. */
  readonly trunks: ReadonlyMap<number, RouterPort>;
  /** The GRE tunnels that are up, by `tunnelKey`. */
  readonly tunnels: ReadonlyMap<string, RouterPort>;
  /** The SVIs by VLAN. */
  readonly svis: ReadonlyMap<number, RouterPort>;
  /** The ports that have subinterfaces. */
  readonly trunkPorts: ReadonlySet<number>;
  /** The tables of the VRFs, by name. What is in this interface is that of the default one. */
  readonly vrfs: ReadonlyMap<string, Vrf>;
}

/** A table of routes, with the addresses of its interfaces. */
export interface Vrf {
  /** The router's own addresses, except link-local ones, which belong to their link. */
  readonly own4: ReadonlyMap<number, RouterPort>;
  readonly own6: ReadonlyMap<bigint, RouterPort>;
  /** Addresses that the router neither forwards to nor has: network and broadcast addresses of the connected subnets, virtual ones. */
  readonly subnetEnds: ReadonlySet<number>;
  /** Tables that replace these have the same object. Routing protocols change their routes in it. */
  readonly routes4: Rib<number>;
  readonly routes6: Rib<bigint>;
  /** The connected and static routes among them. */
  readonly configured4: readonly Route<number>[];
  readonly configured6: readonly Route<bigint>[];
  /** Static routes that do not apply. */
  readonly idleRoutes: readonly IdleRoute[];
}

/** What changes the tables beside the configuration. */
export interface DynamicTables {
  /** What routes track (`trackKey`) and does not answer. */
  readonly tracksDown: ReadonlySet<string>;
  /** Addresses of virtual routers whose master the router is. */
  readonly virtual: readonly VirtualAddresses[];
}

/** Why a packet that may not be fragmented cannot leave by a port. */
/** @param mtuBytes that of the path, if it is below that of the port. */
export const tooBigFor = ({ name, mtuBytes: ofPort }: RouterPort, mtuBytes = ofPort): string =>
  mtuBytes < ofPort ? `too big for the path, MTU ${mtuBytes}` : `too big for ${name}, MTU ${ofPort}`;

/** @param name undefined finds the default table. */
export const vrfOf = (tables: Tables, name: string | undefined): Vrf =>
  name === undefined ? tables : (tables.vrfs.get(name) ?? EMPTY_VRF);

const EMPTY_VRF: Vrf = {
  own4: new Map(),
  own6: new Map(),
  subnetEnds: new Set(),
  routes4: new Rib(IPV4),
  routes6: new Rib(IPV6),
  configured4: [],
  configured6: [],
  idleRoutes: [],
};
