/** What a router's configuration means to OSPF: addresses as numbers, every setting with a value. */
import type { OspfAuthentication } from "../../wire/ospf-authentication.ts";

export const BACKBONE = 0;

export interface OspfConfig {
  readonly routerId: number;
  readonly areas: readonly AreaConfig[];
  readonly interfaces: readonly InterfaceConfig[];
  readonly timers: OspfTimers;
  /** Routes of other sources that the router announces. */
  readonly externals: readonly ExternalRoute[];
  /** Whether the router is a boundary router even without such a route at present. */
  readonly isBoundary: boolean;
}

/** FRR's `timers throttle spf`, `timers throttle lsa all` and `timers lsa min-arrival`. */
export interface OspfTimers {
  readonly spfDelayMs: number;
  readonly spfHoldMs: number;
  readonly spfMaxHoldMs: number;
  readonly minLsaIntervalMs: number;
  readonly minLsaArrivalMs: number;
}

export const DEFAULT_TIMERS: OspfTimers = {
  spfDelayMs: 0,
  spfHoldMs: 50,
  spfMaxHoldMs: 5_000,
  minLsaIntervalMs: 5_000,
  minLsaArrivalMs: 1_000,
};

export interface AreaConfig {
  readonly id: number;
  readonly kind: "normal" | "stub";
  /** Of a stub area: border routers announce nothing but a default route into it. */
  readonly hasNoSummaries: boolean;
  /** The metric of that default route. */
  readonly defaultCost: number;
}

/** `loopback` has no neighbours; its address is announced as a host. */
export type NetworkType = "broadcast" | "point-to-point" | "loopback";

export interface InterfaceConfig {
  /** The index of the port. */
  readonly port: number;
  readonly name: string;
  readonly address: number;
  readonly prefixLength: number;
  readonly mtuBytes: number;
  readonly areaId: number;
  readonly network: NetworkType;
  readonly cost: number;
  readonly priority: number;
  readonly helloSeconds: number;
  readonly deadSeconds: number;
  readonly retransmitSeconds: number;
  readonly transmitDelaySeconds: number;
  /** Its subnet is announced, and no packet is sent or taken. */
  readonly isPassive: boolean;
  readonly ignoresMtu: boolean;
  readonly authentication: OspfAuthentication;
}

/** FRR's defaults; the cost is its cost of a port whose bandwidth is unknown. */
export const DEFAULT_INTERFACE = {
  cost: 10,
  priority: 1,
  helloSeconds: 10,
  deadSeconds: 40,
  retransmitSeconds: 5,
  transmitDelaySeconds: 1,
} as const;

export interface ExternalRoute {
  readonly network: number;
  readonly prefixLength: number;
  readonly metric: number;
  readonly isType2: boolean;
  readonly tag: number;
  /** The gateway, if there is one: neighbours on its subnet send packets straight to it. */
  readonly via: number | undefined;
}
