/** A VXLAN interface in the form that packets need. */
import { parseIpv4 } from "../../wire/ipv4-address.ts";
import type { VxlanSpec } from "./config.ts";

export interface Segment {
  readonly vni: number;
  readonly local: number;
  readonly remotes: readonly number[];
  readonly udpPort: number;
  readonly ttl: number;
  readonly ageingSeconds: number;
  /** The indexes of the interfaces that are bridged with the segment. */
  readonly members: readonly number[];
}

/** @param names those of all interfaces, by index. */
export function makeSegment(
  { vni, local, remotes, udpPort, ttl, ageingSeconds, members = [] }: VxlanSpec,
  names: readonly string[],
): Segment {
  const known = names.map((name) => name.toLowerCase());
  return {
    vni,
    local: parseIpv4(local)!,
    remotes: remotes.map((remote) => parseIpv4(remote)!),
    udpPort,
    ttl,
    ageingSeconds,
    members: members.map((member) => known.indexOf(member.toLowerCase())),
  };
}
