/** Segments with BGP messages of each type, with attributes of each kind, for comparisons with tshark. */
import {
  encodeKeepalive,
  encodeNotification,
  encodeRouteRefresh,
  type NextHop,
  type Nlri,
} from "../../../packages/engine/wire/bgp.ts";
import type { PathAttributes } from "../../../packages/engine/wire/bgp-attributes.ts";
import { encodeOpen } from "../../../packages/engine/wire/bgp-open.ts";
import type { UpdateForm } from "../../../packages/engine/wire/bgp-update.ts";
import {
  encodeAnnouncements,
  encodeEndOfRib,
  encodeWithdrawals,
} from "../../../packages/engine/wire/bgp-write-update.ts";

const HOP4: NextHop = { family: "ipv4", address: 0x0a00_0001 };
const HOP6: NextHop = { family: "ipv6", address: 0x2001_0db8n << 96n, linkLocal: (0xfe80n << 112n) | 1n };
const PREFIXES4: readonly Nlri[] = [
  { family: "ipv4", address: 0x0a01_0000, length: 16 },
  { family: "ipv4", address: 0x0a02_0300, length: 24 },
];
const PREFIXES6: readonly Nlri[] = [
  { family: "ipv6", address: 0x2001_0db8n << 96n, length: 32 },
  { family: "ipv6", address: (0x2001_0db8n << 96n) | 9n, length: 128 },
];
const INTERNAL: UpdateForm = { hasAs4: true, session: "internal", addPath: [] };

const BGP_PATH: PathAttributes = {
  origin: 0,
  asPath: [
    { type: 2, systems: [65_001, 4_200_000_001] },
    { type: 1, systems: [64_600, 64_601] },
  ],
  med: 50,
  localPreference: 200,
  isAtomicAggregate: true,
  aggregator: { system: 65_001, address: 0x0101_0101 },
  communities: [0xfde9_0064, 0xffff_ff01],
  extendedCommunities: [[0x0002_fde9, 100]],
  largeCommunities: [[65_001, 1, 2]],
  originatorId: 0x0303_0303,
  clusterList: [0x0404_0404, 0x0505_0505],
  unknown: [],
};

export const BGP_SEGMENTS: readonly Uint8Array[] = [
  encodeOpen({
    version: 4,
    system: 65_001,
    holdSeconds: 180,
    identifier: 0x0101_0101,
    capabilities: [
      { kind: "multiprotocol", afi: 1, safi: 1 },
      { kind: "multiprotocol", afi: 2, safi: 1 },
      { kind: "route-refresh" },
      { kind: "enhanced-route-refresh" },
      { kind: "extended-message" },
      { kind: "as4", system: 65_001 },
      { kind: "extended-next-hop", families: [{ afi: 1, safi: 1, nextHopAfi: 2 }] },
      {
        kind: "graceful-restart",
        flags: 8,
        seconds: 120,
        families: [{ afi: 1, safi: 1, flags: 0x80 }],
      },
      { kind: "add-path", families: [{ afi: 1, safi: 1, mode: 1 }] },
    ],
  }),
  encodeKeepalive(),
  encodeAnnouncements(BGP_PATH, HOP4, PREFIXES4, INTERNAL)![0]!,
  encodeAnnouncements(BGP_PATH, HOP6, PREFIXES6, INTERNAL)![0]!,
  encodeWithdrawals(PREFIXES4)[0]!,
  encodeWithdrawals(PREFIXES6)[0]!,
  encodeEndOfRib("ipv4"),
  encodeRouteRefresh({ afi: 1, safi: 1, subtype: 0 }),
  encodeNotification({ code: 6, subcode: 6, data: new Uint8Array(0) }),
  encodeNotification({ code: 2, subcode: 2, data: Uint8Array.of(0xfd, 0xe9) }),
];
