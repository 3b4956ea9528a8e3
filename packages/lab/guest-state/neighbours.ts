/** What routing daemons of a guest know about their neighbours; the same for FRR and BIRD. */

export interface OspfNeighbour {
  /** The guest's interface. */
  readonly port: string;
  readonly routerId: string;
  /** The neighbour's address on the link; FRR does not print it for OSPFv3. */
  readonly address: string | undefined;
  /** `Down`, `Attempt`, `Init`, `2-Way`, `ExStart`, `Exchange`, `Loading`, `Full`. */
  readonly state: string;
  /** The neighbour's role on the link; undefined on links without a designated router. */
  readonly role: "DR" | "Backup" | "DROther" | undefined;
}

/** An interface on which OSPF runs. */
export interface OspfPort {
  readonly port: string;
  /** In dotted form. */
  readonly area: string;
  /** `broadcast`, `point-to-point`, `non-broadcast`, `point-to-multipoint`, `loopback`, or as the daemon prints it. */
  readonly network: string;
  readonly isPassive: boolean;
  readonly helloMs: number | undefined;
  readonly deadMs: number | undefined;
  readonly routerId: string | undefined;
  /** With prefix length; undefined where the daemon does not print it. */
  readonly address: string | undefined;
}

export interface BgpNeighbour {
  /** The address by which the configuration names it, or an interface. */
  readonly name: string;
  /** The address of the session; undefined before there is one with a neighbour that is named by an interface. */
  readonly address: string | undefined;
  /** Undefined for the default table of routes. */
  readonly vrf: string | undefined;
  /** `Idle`, `Connect`, `Active`, `OpenSent`, `OpenConfirm`, `Established`, or BIRD's `Down`. */
  readonly state: string;
  readonly localAs: number | undefined;
  readonly remoteAs: number | undefined;
  readonly isShutDown: boolean;
  /** `in`, `out`: no routes go there, because RFC 8212 asks for a policy; absent where the daemon does not print it. */
  readonly withoutPolicy?: readonly string[];
  /** Why the last session ended or none came about, in the daemon's words. */
  readonly lastError: string | undefined;
}

export interface BfdPeer {
  readonly address: string;
  /** Undefined for the default table of routes. */
  readonly vrf: string | undefined;
  readonly port: string | undefined;
  readonly isUp: boolean;
  /** As the daemon prints it. */
  readonly state: string;
}

export interface IsisNeighbour {
  readonly port: string;
  readonly system: string;
  readonly level: number | undefined;
  /** `Up`, `Initializing`, `Down`. */
  readonly state: string;
}
