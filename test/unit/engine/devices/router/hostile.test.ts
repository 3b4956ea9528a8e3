import { encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv4, writeIpv4Checksum } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeDhcp } from "../../../../../packages/engine/wire/dhcp.ts";
import { bytes, ip, ip6, MAC_A, makeBed, ROUTER_MAC, unwrap4 } from "./probe.ts";

const SERVING = {
  ports: [
    { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64", dhcp: { first: "10.0.1.100", last: "10.0.1.110" } },
    { ipv4: "10.0.2.1/24", mtu: 68 },
  ],
};

const A = ip("10.0.1.10");
const OWN = ip("10.0.1.1");
const FAR = ip("10.0.2.10");
const A6 = ip6("2001:db8:1::10");
const OWN6 = ip6("2001:db8:1::1");

const in4 = (target: number, protocol: number, payload: Uint8Array, more = {}): Uint8Array =>
  encodeEthernet(
    ROUTER_MAC,
    MAC_A,
    0x0800,
    encodeIpv4({ source: A, target, protocol, ...more }, payload)[0]!,
  );
const in6 = (target: bigint, payload: Uint8Array): Uint8Array =>
  encodeEthernet(
    ROUTER_MAC,
    MAC_A,
    0x86dd,
    encodeIpv6Checked({ source: A6, target, nextHeader: 58, hopLimit: 255 }, payload),
  );
const discover = encodeDhcp({
  op: 1,
  xid: 1,
  secs: 0,
  flags: 0,
  clientIp: 0,
  yourIp: 0,
  serverIp: 0,
  relayIp: 0,
  clientMac: MAC_A,
  options: [
    [53, Uint8Array.of(1)],
    [55, Uint8Array.of(1, 3, 6)],
  ],
});

/** One valid frame for each function of the router. */
const GOOD: readonly Uint8Array[] = [
  encodeArp(ROUTER_MAC, MAC_A, { opcode: 1, senderMac: MAC_A, senderIp: A, targetMac: 0, targetIp: OWN }),
  in4(FAR, 253, bytes(200)),
  in4(FAR, 253, bytes(16), { moreFragments: true, fragmentOffset: 65_528 }),
  in4(OWN, 1, encodeEcho(1, 1, bytes(20)).subarray(0, 16), { moreFragments: true, id: 3 }),
  in4(OWN, 1, bytes(12), { fragmentOffset: 16, id: 3 }),
  in4(OWN, 1, encodeEcho(1, 1, bytes(20))),
  in4(OWN, 6, bytes(20)),
  in4(OWN, 17, encodeUdp4(A, OWN, { sourcePort: 68, targetPort: 67, data: discover })),
  in6(OWN6, encodeIcmpv6(128, 0, 0, bytes(20))),
  in6(OWN6, encodeIcmpv6(133, 0, 0, Uint8Array.of(1, 1, 2, 0, 0, 0, 0, 1))),
  in6(OWN6, encodeIcmpv6(135, 0, 0, bytes(24))),
  in6(ip6("2a00::1"), bytes(8)),
];

const damage = fc.record({
  index: fc.nat(GOOD.length - 1),
  changes: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
  cutTo: fc.option(fc.nat(400), { nil: undefined }),
  repair: fc.boolean(),
});

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** A valid frame with some bytes changed, possibly truncated, possibly with a corrected IPv4 header checksum. */
function damaged({ index, changes, cutTo, repair }: Damage): Uint8Array {
  const frame = GOOD[index]!.slice(0, cutTo);
  for (const [at, value] of changes) if (at < frame.length) frame[at] = value;
  if (repair && frame.length >= 74 && frame[12] === 8 && frame[13] === 0) writeIpv4Checksum(frame, 14);
  return frame;
}

describe("hostile frames", () => {
  it("of random bytes do not crash the router", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 10 }),
        fc.nat(3),
        (frames, port) => {
          const { bench } = makeBed(SERVING);
          for (const frame of frames) bench.inject("R1", port, frame);
          bench.run();
        },
      ),
    );
  });

  it("that are almost valid do not crash the router, which still works afterwards", () => {
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 12 }), (damages) => {
        const { bench, router, a } = makeBed(SERVING);
        for (const each of damages) bench.inject("R1", 0, damaged(each));
        bench.run();
        for (const { frame } of bench.frames) if (frame[12] === 8 && frame[13] === 0) unwrap4(frame);
        expect(JSON.parse(JSON.stringify(router.saveState()))).toEqual(router.saveState());
        a.received.length = 0;
        a.send(in4(OWN, 1, encodeEcho(9, 9, bytes(4))));
        bench.run();
        expect(a.packets4.some(({ payload }) => payload[0] === 0)).toBe(true);
      }),
      {
        numRuns: 500,
        // An echo request on its way back to its sender, with a checksum that the new address makes wrong.
        examples: [[[{ index: 8, changes: [[53, 16]], cutTo: undefined, repair: false }]]],
      },
    );
  });

  it("do not let the router's state grow without bound", () => {
    const { bench, router } = makeBed(SERVING);
    for (let i = 0; i < 3_000; i++) {
      bench.inject("R1", 0, in4(OWN, 1, bytes(8), { moreFragments: true, id: i, source: A + i * 256 }));
      bench.inject("R1", 0, in4(FAR + (i % 200), 253, bytes(8)));
    }
    bench.run();
    const { arp, leases } = router.saveState();
    expect(arp.length + leases.length).toBeLessThanOrEqual(1_024);
    expect(bench.type("R1", "show counters")).toMatch(/queue for a neighbour full: \d+/);
  });
});
