/** What must hold in a lab. Each kind has a file of its name in `expect/`. */
import type { PacketPredicate } from "@wirelab/engine/link/filters/index";
import type { Comparison } from "./comparison.ts";
import type { Place } from "./place.ts";

/** Fields that every expectation has. */
interface Common {
  /** As the file says it, or made from the expectation: `reach: pc1 -> pc2`. */
  readonly name: string;
  /** True if the expectation must not hold. */
  readonly isNegated: boolean;
  /** Lab time on the timeline; undefined at the end of the run. */
  readonly atNs: number | undefined;
  /** The time that the expectation has, counted from `sinceNs`. */
  readonly withinNs: number | undefined;
  /** The time of the event that `after` names, else 0. */
  readonly sinceNs: number;
  readonly place: Place | undefined;
}

export type ProbeProtocol = "icmp" | "udp" | "tcp";

export interface Probe {
  readonly from: string;
  /** A node's name or an address. */
  readonly to: string;
  readonly protocol: ProbeProtocol;
  /** Target port of UDP and TCP. */
  readonly port: number;
}

/** The packets that an expectation looks at. */
export interface PacketSelection {
  readonly expression: string;
  readonly predicate: PacketPredicate;
  /** Undefined for all links. */
  readonly link: string | undefined;
  /** The sending end of the direction; undefined for both directions. */
  readonly from: string | undefined;
  readonly tap: "before" | "after";
  readonly fromNs: number;
  readonly untilNs: number;
}

/** One end of an adjacency. */
export interface AdjacencyEnd {
  readonly node: string;
  /** The interface's name; undefined for all that the two ends share. */
  readonly port: string | undefined;
}

/** What BGP knows of a route. */
export interface WantedBgp {
  /** `65001 65002 {7,8}`. */
  readonly asPath: string | undefined;
  /** All communities, ascending: `65001:100`. */
  readonly communities: readonly string[] | undefined;
  readonly origin: string | undefined;
  readonly localPreference: Comparison | undefined;
  readonly med: Comparison | undefined;
  readonly weight: Comparison | undefined;
}

/** A route that a router is to have. */
export interface WantedRoute {
  /** A network with prefix length, in its usual spelling. */
  readonly to: string;
  readonly protocol: string | undefined;
  /** All next hops, sorted: addresses, `connected`, `blackhole`, `unreachable`; undefined for any. */
  readonly via: readonly string[] | undefined;
  readonly distance: Comparison | undefined;
  readonly metric: Comparison | undefined;
  /** Undefined if nothing of BGP is asked. */
  readonly bgp: WantedBgp | undefined;
}

export type PingMeasure = "lost" | "min" | "mean" | "p50" | "p90" | "p99" | "max" | "duplicates";

export type Claim =
  | { readonly kind: "reach"; readonly probes: readonly Probe[]; readonly tries: number }
  | {
      readonly kind: "ping";
      readonly probe: Probe;
      readonly count: number;
      readonly intervalMs: number;
      readonly sizeBytes: number;
      readonly measures: Readonly<Partial<Record<PingMeasure, Comparison>>>;
    }
  | {
      readonly kind: "path";
      readonly probe: Probe;
      /** Names of the nodes between the ends, in order; routers only unless `isWhole`. */
      readonly via: readonly string[] | undefined;
      readonly isWhole: boolean;
      readonly hops: Comparison | undefined;
    }
  | { readonly kind: "seen"; readonly packets: PacketSelection }
  | { readonly kind: "count"; readonly packets: PacketSelection; readonly is: Comparison }
  | {
      readonly kind: "mac";
      readonly node: string;
      /** A node's name or a MAC address. */
      readonly has: string;
      readonly port: number | undefined;
      readonly vlan: number | undefined;
    }
  | {
      readonly kind: "arp";
      readonly node: string;
      /** A node's name or an IPv4 address. */
      readonly has: string;
      readonly mac: string | undefined;
    }
  | { readonly kind: "route"; readonly node: string; readonly to: string; readonly via: string | undefined }
  | {
      readonly kind: "adjacency";
      readonly protocol: "ospf" | "bgp";
      readonly ends: readonly [AdjacencyEnd, AdjacencyEnd];
      /** In lower case; undefined for what the two ends are to reach. */
      readonly state: string | undefined;
    }
  | {
      readonly kind: "rib";
      readonly node: string;
      readonly routes: readonly WantedRoute[];
      /** Routes of other protocols do not count. */
      readonly protocol: string | undefined;
      /** Whether there may be no other routes. */
      readonly isWhole: boolean;
    }
  | {
      readonly kind: "best";
      readonly node: string;
      /** A network with prefix length, in its usual spelling. */
      readonly to: string;
      /** The next hop of the best path, or `local`. */
      readonly via: string | undefined;
      /** The step of the decision that chose it, in FRR's words. */
      readonly reason: string | undefined;
      readonly bgp: WantedBgp;
    }
  | {
      readonly kind: "lease";
      /** A PC that has a lease. */
      readonly node: string;
      readonly address: string | undefined;
      readonly gateway: string | undefined;
    }
  | {
      readonly kind: "console";
      readonly node: string;
      readonly matches: RegExp;
      /** False if `matches` stands for a plain text. */
      readonly isPattern: boolean;
      readonly shown: string;
    }
  | {
      readonly kind: "throughput";
      readonly from: string;
      readonly to: string;
      /** From 1; undefined for the last one. */
      readonly transfer: number | undefined;
      /** `is` in bits per second. */
      readonly measures: Readonly<Partial<Record<"is" | "resent" | "timeouts", Comparison>>>;
    }
  | {
      readonly kind: "filter";
      readonly link: string;
      readonly filter: string;
      readonly measures: Readonly<Partial<Record<"seen" | "dropped" | "corrupted", Comparison>>>;
    }
  | { readonly kind: "loop" }
  | { readonly kind: "digest"; readonly value: string }
  | {
      readonly kind: "budget";
      /** Undefined for the whole lab. */
      readonly link: string | undefined;
      readonly measures: Readonly<Partial<Record<"events" | "packets" | "bytes", Comparison>>>;
    };

export type Times = Pick<Common, "atNs" | "withinNs" | "sinceNs">;

export type Expectation = Common & { readonly claim: Claim };
