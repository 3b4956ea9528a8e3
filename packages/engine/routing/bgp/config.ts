/** What a BGP process is configured with. Addresses are numbers. */
import type { RouteAttributes } from "./attributes.ts";
import type { Prefix } from "./prefix.ts";

export type Redistributed = "connected" | "static" | "ospf" | "rip";

/** A route as a policy knows and changes it. */
export interface Judged {
  readonly attributes: RouteAttributes;
  readonly weight: number;
  /** The next hop is announced as it is. */
  readonly keepsNextHop?: boolean;
}

/** Returns the changed route, or undefined for one that does not pass. It depends on nothing else. */
export type Policy = (route: Judged, prefix: Prefix) => Judged | undefined;

export interface LocalAs {
  readonly as: number;
  /** The number is not put before the path of received routes. */
  readonly noPrepend: boolean;
  /** The router's own number is left out of announced routes. */
  readonly replaceAs: boolean;
}

export interface NeighbourConfig {
  readonly address: number;
  /** 0: any number but the own one. */
  readonly remoteAs: number;
  readonly isInternal: boolean;
  readonly localAs: LocalAs | undefined;
  /** The number of the OPEN message. */
  readonly ownAs: number;
  readonly description: string | undefined;
  readonly isShutDown: boolean;
  readonly isPassive: boolean;
  /** The hop limit of its packets; 1: the neighbour is on a connected subnet. */
  readonly ttl: number;
  /** Its address and its next hops have to be on a connected subnet. */
  readonly mustBeConnected: boolean;
  /** The own address of the session, or the interface whose address it is; undefined: that of the way. */
  readonly source: number | { readonly port: number } | undefined;
  readonly keepaliveSeconds: number;
  readonly holdSeconds: number;
  readonly connectSeconds: number;
  readonly advertisementSeconds: number;
  /** Its routes are exchanged. */
  readonly isActive: boolean;
  readonly weight: number | undefined;
  readonly nextHopSelf: "no" | "own" | "force";
  readonly isClient: boolean;
  /** How often the own AS may be in a path; 0: never. */
  readonly allowedOwnAs: number;
  /** The own AS may be in a path that begins at it. */
  readonly allowsOrigin: boolean;
  readonly removePrivate: { readonly all: boolean; readonly replace: boolean } | undefined;
  readonly maximumPrefixes:
    | { readonly most: number; readonly warnsOnly: boolean; readonly percent: number }
    | undefined;
  readonly originatesDefault: boolean;
  readonly sends: { readonly standard: boolean; readonly extended: boolean; readonly large: boolean };
  /** Names what the policies depend on: with the same text, they are the same. */
  readonly policyText: string;
  /** Undefined: nothing is refused or changed. */
  readonly policyIn: Policy | undefined;
  readonly policyOut: Policy | undefined;
}

export interface BestPathConfig {
  readonly alwaysCompareMed: boolean;
  readonly deterministicMed: boolean;
  readonly ignoresAsPath: boolean;
  readonly relaxesMultipath: boolean;
  readonly comparesRouterId: boolean;
  readonly missingMedIsWorst: boolean;
  readonly defaultLocalPreference: number;
}

export interface BgpConfig {
  readonly as: number;
  readonly routerId: number;
  readonly clusterId: number;
  /** RFC 8212: no routes from and to external neighbours without a policy. */
  readonly requiresPolicy: boolean;
  /** A `network` is announced only while the router has a route to it. */
  readonly checksNetworks: boolean;
  readonly reflectsBetweenClients: boolean;
  readonly bestPath: BestPathConfig;
  readonly maximumPaths: { readonly external: number; readonly internal: number };
  readonly distances: { readonly external: number; readonly internal: number; readonly local: number };
  readonly networks: readonly Prefix[];
  readonly redistribute: ReadonlyMap<Redistributed, { readonly metric: number | undefined }>;
  readonly neighbours: readonly NeighbourConfig[];
}
