/** One end of a session of BGP, and what keeps two ends apart. */

export interface BgpEnd {
  readonly node: string;
  /** The neighbour as the configuration names it: an address, or an interface. */
  readonly name: string;
  /** The neighbour's address; undefined before an interface has a neighbour. */
  readonly address: string | undefined;
  /** `Idle` to `Established`, or BIRD's words. */
  readonly state: string;
  readonly localAs: number | undefined;
  /** Undefined: any but the own one. */
  readonly remoteAs: number | undefined;
  readonly isShutDown: boolean;
  readonly isPassive: boolean;
  /** The own address of the session; undefined if it is not known. */
  readonly source: string | undefined;
  /** Undefined without one. */
  readonly password: string | undefined;
  /** Why the node cannot come to the neighbour, in words. */
  readonly unreachable?: string;
  /** `in`, `out`: the directions in which no routes go, because RFC 8212 asks for a policy. */
  readonly withoutPolicy: readonly string[];
  /** Why the last session ended or none came about, in the daemon's words. */
  readonly lastError: string | undefined;
  /** Where the configuration names the neighbour; absent without a file. */
  readonly place?: string;
}

type Ends = readonly [BgpEnd, BgpEnd];

/** @returns a sentence for each setting that keeps the session down. */
export function bgpDifferences([one, other]: Ends): string[] {
  const both = [
    [one, other],
    [other, one],
  ] as const;
  return [
    ...both.flatMap(([end]) =>
      end.isShutDown ? [`${end.node} has shut down ${end.name}${placed(end)}`] : [],
    ),
    ...both.flatMap(([end, peer]) => wrongAs(end, peer)),
    ...(one.isPassive && other.isPassive ? ["both ends wait for the other: they are passive"] : []),
    ...both.flatMap(([{ node, unreachable }]) =>
      unreachable === undefined ? [] : [`${node} ${unreachable}`],
    ),
    ...both.flatMap(([end, peer]) => wrongSource(end, peer)),
    ...passwords(one, other),
  ];
}

const placed = ({ place }: BgpEnd): string => (place === undefined ? "" : ` (${place})`);

/** What one end takes the other for. */
function wrongAs(end: BgpEnd, peer: BgpEnd): string[] {
  if (peer.localAs === undefined) return [];
  const isRight = end.remoteAs === undefined ? end.localAs !== peer.localAs : end.remoteAs === peer.localAs;
  if (isRight) return [];
  const expected = end.remoteAs === undefined ? "another AS than its own" : `AS ${end.remoteAs}`;
  return [`${end.node} expects ${expected}${placed(end)}, and ${peer.node} has AS ${peer.localAs}`];
}

/** The other end takes connections from the address that it names. */
function wrongSource({ node, source }: BgpEnd, peer: BgpEnd): string[] {
  return source === undefined || peer.address === undefined || source === peer.address
    ? []
    : [
        `${node} connects from ${source}, and ${peer.node} expects ${peer.address}${placed(peer)}: update-source`,
      ];
}

function passwords(one: BgpEnd, other: BgpEnd): string[] {
  if (one.password === other.password) return [];
  const without = [one, other].find(({ password }) => password === undefined);
  return [
    without ? `${without.node} has no password for the session` : "the passwords of the session differ",
  ];
}

/** A session that is up may carry no routes. */
export const policyRemarks = (ends: Ends): string[] =>
  ends.flatMap(({ node, name, withoutPolicy }) =>
    withoutPolicy.length === 0
      ? []
      : [
          `${node} has no policy ${withoutPolicy.join(" and ")} for ${name}, so no routes go there (RFC 8212)`,
        ],
  );
