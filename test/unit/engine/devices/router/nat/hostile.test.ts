import { decodeIpv4, writeIpv4Checksum } from "@wirelab/engine/wire/ipv4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHeaderIntact4, isPayloadIntact4 } from "../../../../../../packages/engine/wire/intact.ts";
import { ip, MAC_A, MAC_B, ROUTER_MAC } from "../probe.ts";
import { frameOf } from "./frames.ts";
import { bedWith, echo, error, INSIDE, MASQUERADE, OUTSIDE, OWN, tcp, turned, udp } from "./packets.ts";

const NAT = {
  ...MASQUERADE,
  static: [{ out: "Ethernet1", inside: "10.0.1.11", outside: "10.0.2.100" }],
  forward: [{ out: "Ethernet1", protocol: "tcp", port: 8_080, to: INSIDE, to_port: 80 }],
  hairpin: true,
};
const LISTS = {
  acls: [
    {
      name: "L",
      rules: [
        "deny tcp any any eq 23 log",
        "permit ip any any state established,related,new log",
        "reject ip any any",
      ],
    },
  ],
  ports: [
    { ipv4: "10.0.1.1/24", acl_in: "L" },
    { ipv4: "10.0.2.1/24", acl_in: "L", acl_out: "L" },
  ],
};
const FLOW = { from: INSIDE, to: OUTSIDE, sourcePort: 4_000, targetPort: 53 };
const SEEN = { ...FLOW, from: OWN };
const INBOUND = { from: OUTSIDE, to: OWN, sourcePort: 9, targetPort: 8_080 };

/** Valid frames of every kind, in an order in which each finds its connection. */
const GOOD: readonly (readonly [port: number, frame: Uint8Array])[] = [
  [0, frameOf(ROUTER_MAC, MAC_A, FLOW, udp(FLOW))],
  [1, frameOf(ROUTER_MAC + 1, MAC_B, turned(SEEN), udp(turned(SEEN)))],
  [0, frameOf(ROUTER_MAC, MAC_A, FLOW, tcp(FLOW, "S"))],
  [1, frameOf(ROUTER_MAC + 1, MAC_B, turned(SEEN), tcp(turned(SEEN), "SA"))],
  [0, frameOf(ROUTER_MAC, MAC_A, FLOW, echo(3))],
  [1, frameOf(ROUTER_MAC + 1, MAC_B, turned(SEEN), error(SEEN, udp(SEEN)))],
  [1, frameOf(ROUTER_MAC + 1, MAC_B, INBOUND, tcp(INBOUND, "S"))],
  [0, frameOf(ROUTER_MAC, MAC_A, { ...FLOW, to: OWN }, tcp({ ...FLOW, to: OWN, targetPort: 8_080 }, "S"))],
  [1, frameOf(ROUTER_MAC + 1, MAC_B, { ...INBOUND, to: "10.0.2.100" }, echo(1))],
];

const damage = fc.array(fc.tuple(fc.nat({ max: 120 }), fc.nat({ max: 255 })), { maxLength: 4 });
const sends = fc.array(
  fc.tuple(fc.nat({ max: GOOD.length - 1 }), damage, fc.nat({ max: 200 }), fc.boolean()),
  { maxLength: 30 },
);

describe("a router that filters and translates", () => {
  it("survives every frame, and sends what was intact intact", () => {
    fc.assert(
      fc.property(sends, (frames) => {
        const bed = bedWith(NAT, LISTS);
        for (const [index, changes, cut, isCut] of frames) {
          const [port, good] = GOOD[index]!;
          const frame = good.slice(0, isCut ? Math.max(14, good.length - cut) : good.length);
          for (const [at, value] of changes) if (14 + at < frame.length) frame[14 + at] = value;
          if (changes.length % 2 === 0 && decodeIpv4(frame, 14)) writeIpv4Checksum(frame, 14);
          const before = bed.bench.frames.length;
          const header = decodeIpv4(frame, 14);
          const wasIntact = header !== null && isPayloadIntact4(frame, 14, header);
          bed.bench.inject("R1", port, frame);
          bed.bench.run(bed.bench.nowUs + 1);
          for (const sent of bed.bench.frames.slice(before)) {
            const left =
              sent.from === "R1" && sent.frame[12] === 8 && sent.frame[13] === 0
                ? decodeIpv4(sent.frame, 14)
                : null;
            if (left === null) continue;
            expect(isHeaderIntact4(sent.frame, 14, left)).toBe(true);
            const isWhole = !left.moreFragments && left.fragmentOffset === 0;
            if (wasIntact && isWhole) expect(isPayloadIntact4(sent.frame, 14, left)).toBe(true);
          }
        }
        const state = JSON.parse(JSON.stringify(bed.router.saveState()));
        expect(bedWith(NAT, LISTS, state).router.saveState()).toEqual(state);
      }),
      { numRuns: 300 },
    );
  });

  it("passes the valid frames of this test", () => {
    const bed = bedWith(NAT, LISTS);
    for (const [port, frame] of GOOD) bed.bench.inject("R1", port, frame);
    bed.bench.run();
    const translated = bed.router.saveState().firewall!.connections4!;
    expect(translated).toHaveLength(6);
    expect(bed.b.packets4.some(({ header }) => header.source === ip(OWN))).toBe(true);
  });
});
