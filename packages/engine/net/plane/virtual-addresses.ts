/** The addresses of the virtual routers whose master this router is, in the form that packets need. */

export interface VirtualAddresses {
  /** The index of the interface. */
  readonly index: number;
  readonly mac: number;
  readonly ipv4: readonly number[];
  readonly ipv6: readonly bigint[];
  /** Whether the router takes packets to them; else it only forwards by their MAC address. */
  readonly accepts: boolean;
}

/** Those of one interface, by address. */
export interface VirtualStation {
  readonly macs: ReadonlySet<number>;
  readonly macOf4: ReadonlyMap<number, number>;
  readonly macOf6: ReadonlyMap<bigint, number>;
  /** Addresses whose packets the router does not take. */
  readonly refused6: ReadonlySet<bigint>;
  /** The first address of each virtual router of IPv6, and its MAC: the source of router advertisements. */
  readonly advertisers: readonly (readonly [linkLocal: bigint, mac: number])[];
}

/** Undefined if the router is the master of no virtual router there. */
export function stationAt(index: number, all: readonly VirtualAddresses[]): VirtualStation | undefined {
  const own = all.filter((each) => each.index === index);
  if (own.length === 0) return undefined;
  return {
    macs: new Set(own.map(({ mac }) => mac)),
    macOf4: new Map(own.flatMap(({ ipv4, mac }) => ipv4.map((address) => [address, mac] as const))),
    macOf6: new Map(own.flatMap(({ ipv6, mac }) => ipv6.map((address) => [address, mac] as const))),
    refused6: new Set(own.flatMap(({ ipv6, accepts }) => (accepts ? [] : ipv6))),
    advertisers: own.flatMap(({ ipv6, mac }) => (ipv6[0] === undefined ? [] : [[ipv6[0], mac] as const])),
  };
}
