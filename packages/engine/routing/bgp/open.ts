/** The OPEN message: what the router sends, and what it makes of a neighbour's (RFC 4271, sections 4.2 and 6.2). */

import { writeU16, writeU32 } from "../../base/bytes.ts";
import {
  AFI,
  BGP_VERSION,
  type BgpNotification,
  type BgpOpen,
  ERROR,
  OPEN_ERROR,
  SAFI_UNICAST,
} from "../../wire/bgp.ts";
import { AS_TRANS } from "../../wire/bgp-attributes.ts";
import type { BgpConfig, NeighbourConfig } from "./config.ts";
import { notification } from "./notifications.ts";

const MOST_IN_2_BYTES = 0xffff;

export const ownOpen = ({ routerId }: BgpConfig, { ownAs, holdSeconds }: NeighbourConfig): BgpOpen => ({
  version: BGP_VERSION,
  system: ownAs > MOST_IN_2_BYTES ? AS_TRANS : ownAs,
  holdSeconds,
  identifier: routerId,
  capabilities: [
    { kind: "multiprotocol", afi: AFI.ipv4, safi: SAFI_UNICAST },
    { kind: "route-refresh" },
    { kind: "as4", system: ownAs },
  ],
});

export function systemOf({ system, capabilities }: BgpOpen): number {
  const as4 = capabilities.find((each) => each.kind === "as4");
  return as4?.system ?? system;
}

/** @returns why there can be no session. */
export function flawOf(open: BgpOpen, config: BgpConfig, own: NeighbourConfig): BgpNotification | undefined {
  const system = systemOf(open);
  const isExpected = own.remoteAs === 0 ? system !== own.ownAs : system === own.remoteAs;
  if (!isExpected) return notification(ERROR.open, OPEN_ERROR.peerAs, bytesOfAs(system));
  if (open.identifier === 0 || (own.isInternal && open.identifier === config.routerId))
    return notification(ERROR.open, OPEN_ERROR.identifier);
  const families = open.capabilities.filter((each) => each.kind === "multiprotocol");
  const hasIpv4 = families.some(({ afi, safi }) => afi === AFI.ipv4 && safi === SAFI_UNICAST);
  if (families.length > 0 && !hasIpv4) return notification(ERROR.open, OPEN_ERROR.capability);
  return undefined;
}

function bytesOfAs(system: number): Uint8Array {
  const bytes = new Uint8Array(system > MOST_IN_2_BYTES ? 4 : 2);
  if (system > MOST_IN_2_BYTES) writeU32(bytes, 0, system);
  else writeU16(bytes, 0, system);
  return bytes;
}
