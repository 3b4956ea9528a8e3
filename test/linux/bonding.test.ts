/** Bundles of a switch with the bonding of Linux (802.3ad) at the other end. */
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, PROTOCOL_TCP } from "@wirelab/engine/wire/ipv4";
import { formatMac } from "@wirelab/engine/wire/mac";
import type { LoggedFrame } from "@wirelab/lab/play/frame-log";
import { describe, expect, test } from "vitest";
import { decodeLacp, ETHERTYPE_SLOW, LACP_STATE, type Lacpdu } from "../../packages/engine/wire/lacp.ts";
import { decodeTcp } from "../../packages/engine/wire/tcp.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { hasImage, playWithFrames } from "../helpers/play-linux.ts";

const CONVERSATIONS = 12;
/** A port that has heard nothing sends every 30 s. */
const [CUT_S, REPAIR_S, REJOINED_S] = [18, 30, 62];

/** @param mode of our bundle. @param lacpActive of the bond: off is LACP's passive mode. */
const labOf = (mode: string, lacpActive: "on" | "off"): string => `
nodes:
  h:
    type: linux
    ports: [[], []]
    commands:
      - ip link add bond0 type bond mode 802.3ad miimon 100 lacp_rate fast lacp_active ${lacpActive} xmit_hash_policy layer3+4
      - ip link set eth0 down; ip link set eth0 master bond0
      - ip link set eth1 down; ip link set eth1 master bond0
      - ip link set bond0 up
      - ip addr add 10.0.0.1/24 dev bond0
  sw: { type: switch, bundles: [{ ports: [0, 1], mode: ${mode}, rate: fast, hash: port }] }
  b: { type: server, ip: 10.0.0.2/24 }
links: [{ link: h -- sw:0, name: left }, { link: h -- sw:1, name: right }, sw:2 -- b]
run:
  - at: 8s
    console: { h: [cat /proc/net/bonding/bond0, "for i in $(seq ${CONVERSATIONS}); do echo $i | nc 10.0.0.2 7; done"] }
  - { at: ${CUT_S - 2}s, console: { h: ping -c 9 10.0.0.2 } }
  - { at: ${CUT_S}s, down: left }
  - { at: ${REPAIR_S - 2}s, console: { h: cat /proc/net/bonding/bond0 } }
  - { at: ${REPAIR_S}s, up: left }
  - { at: ${REJOINED_S}s, console: { h: [cat /proc/net/bonding/bond0, ping -c 2 10.0.0.2] } }
duration: ${REJOINED_S + 3}s
`;

const ALL =
  LACP_STATE.aggregation | LACP_STATE.synchronization | LACP_STATE.collecting | LACP_STATE.distributing;

/** The last frame of LACP that the switch or the guest sent into a cable before a time. */
function lastOf(frames: readonly LoggedFrame[], from: string, link: string, beforeS: number): Lacpdu {
  const found = frames.findLast(
    (each) =>
      each.from === from &&
      each.link === link &&
      each.enteredNs < beforeS * 1e9 &&
      etherType(each.frame) === ETHERTYPE_SLOW,
  );
  return decodeLacp(found!.frame, ETHERNET_HEADER_BYTES)!;
}

/** The cables of each conversation of TCP in the direction of `to`, by the port of the client. */
function cablesOf(frames: readonly LoggedFrame[], to: string): Map<number, Set<string>> {
  const cables = new Map<number, Set<string>>();
  for (const { frame, link, from, to: target } of frames) {
    const isOnCable = link === "left" || link === "right";
    const ip = etherType(frame) === ETHERTYPE_IPV4 ? decodeIpv4(frame, ETHERNET_HEADER_BYTES) : null;
    if (!isOnCable || (to === "h" ? target !== "h" : from !== "h") || ip?.protocol !== PROTOCOL_TCP) continue;
    const tcp = decodeTcp(frame.subarray(ETHERNET_HEADER_BYTES + ip.headerBytes))!;
    const port = to === "h" ? tcp.targetPort : tcp.sourcePort;
    cables.set(port, (cables.get(port) ?? new Set()).add(link));
  }
  return cables;
}

/** What the guest says of its bond, at each time that it was asked. */
const bondsOf = (printed: string): string[] => printed.split("Ethernet Channel Bonding Driver").slice(1);
const portsIn = (bond: string): number => Number(/Number of ports: (\d+)/.exec(bond)?.[1]);

describe.skipIf(!hasImage("debian"))(
  "LACP with Linux's bonding (skipped without the image: wirelab image build debian)",
  () => {
    const draw = drawOf(2);
    test.each(
      drawn(
        [
          ["active", "off"],
          ["passive", "on"],
        ] as const,
        draw,
      ),
    )(
      `ours %s, lacp_active %s there: both agree, keep conversations on their cables, and lose and regain a cable${draw.note}`,
      (mode, lacpActive) => {
        const { printed, frames } = playWithFrames(labOf(mode, lacpActive));
        const bonds = bondsOf(printed("h"));
        expect(bonds.map(portsIn)).toEqual([2, 1, 2]);

        for (const link of ["left", "right"]) {
          const [ours, theirs] = ["sw", "h"].map((from) => lastOf(frames, from, link, 8)) as [Lacpdu, Lacpdu];
          for (const { actor } of [ours, theirs]) expect(actor.state & ALL).toBe(ALL);
          expect([ours.partner, theirs.partner]).toEqual([theirs.actor, ours.actor]);
          expect(bonds[0]).toContain(`Partner Mac Address: ${formatMac(ours.actor.system)}`);
          expect(bonds[0]).toContain(`Partner Key: ${ours.actor.key}`);
        }

        for (const to of ["h", "b"]) {
          const cables = cablesOf(frames, to);
          expect(cables.size).toBe(CONVERSATIONS);
          const used = [...cables.values()].map((each) => [...each].join("+"));
          expect(new Set(used)).toEqual(new Set(["left", "right"]));
        }

        // Both ends leave a silent cable after three seconds.
        const pings = [...printed("h").matchAll(/(\d+) packets transmitted, (\d+) packets received/g)];
        const [during, after] = pings.map(([, sent, received]) => Number(sent) - Number(received));
        expect(during).toBeLessThanOrEqual(4);
        expect(after).toBe(0);
      },
    );
  },
);
