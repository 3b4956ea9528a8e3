/** The router's counters: frames and bytes per port, packets forwarded and delivered, and packets dropped by reason. */

export interface PortCounters {
  framesIn: number;
  bytesIn: number;
  framesOut: number;
  bytesOut: number;
}

const DROP_REASONS = {
  notForUs: "frames for another station or protocol",
  malformed: "malformed packets",
  badChecksum: "wrong checksums",
  badSource: "impossible source addresses",
  notForwarded: "broadcast, multicast and link-local packets",
  noRoute: "no route",
  expired: "time to live exceeded",
  tooBig: "too big for the next link",
  unreachable: "neighbour did not answer",
  queueFull: "queue for a neighbour full",
} as const;

/** Reasons of features: a router without such a drop does not have its counter. */
const FEATURE_DROP_REASONS = {
  unknownVlan: "frames of a VLAN without an interface",
  vlanNotCarried: "frames of a VLAN that the switched port does not carry",
  aclDenied: "denied by an access list",
  tableFull: "connection table full",
  unknownTunnel: "tunnel packets without an interface",
  tunnelLoop: "tunnels in tunnels",
  blackhole: "blackhole routes",
  rejected: "unreachable routes",
  policyDropped: "dropped by a rule of policy routing",
  noTranslation: "no translation of the address",
  noNatPort: "no free address or port to translate to",
} as const;

export type DropReason = keyof typeof DROP_REASONS | keyof typeof FEATURE_DROP_REASONS;
type BaseDropReason = keyof typeof DROP_REASONS;

export const ALL_DROP_REASONS: Readonly<Record<DropReason, string>> = {
  ...DROP_REASONS,
  ...FEATURE_DROP_REASONS,
};

/** Plain JSON data, saved unchanged. */
export interface Counters {
  readonly ports: PortCounters[];
  forwarded4: number;
  forwarded6: number;
  /** Packets to the router itself. */
  delivered: number;
  /** Packets from the router itself, except ARP and neighbour discovery. */
  originated: number;
  readonly drops: Record<BaseDropReason, number> & Partial<Record<DropReason, number>>;
}

export const makePortCounters = (): PortCounters => ({ framesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 });

export const makeCounters = (ports: number): Counters => ({
  ports: Array.from({ length: ports }, makePortCounters),
  forwarded4: 0,
  forwarded6: 0,
  delivered: 0,
  originated: 0,
  drops: Object.fromEntries(Object.keys(DROP_REASONS).map((reason) => [reason, 0])) as Record<
    BaseDropReason,
    number
  >,
});
