/** Which frames the PC processes, and that no frame makes it fail. */

import { concatBytes, writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIpv4, PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { ALL_NODES } from "@wirelab/engine/wire/ipv6-address";
import { BROADCAST_MAC, ipv6MulticastMac } from "@wirelab/engine/wire/mac";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Received, Script } from "../../../../../../packages/engine/devices/pc/host.ts";
import { encodeTcp4, TCP_SYN } from "../../../../../../packages/engine/wire/tcp.ts";
import { A_IP, A_MAC, arpRequest, B_IP, B_MAC, counting, GATEWAY_IP, ipv4Frame, LonePc } from "./bare-pc.ts";

/** The kinds of packets that the PC offers to a script for some frames. */
function seen(...frames: readonly Uint8Array[]): string[] {
  const lone = new LonePc();
  const kinds: string[] = [];
  const accept = ({ kind }: Received): boolean => {
    kinds.push(kind);
    return true;
  };
  lone.pc.spawn(
    (function* (): Script {
      for (;;) yield { timeoutUs: Number.POSITIVE_INFINITY, accept };
    })(),
  );
  lone.hear(...frames);
  return kinds;
}

const ECHO = encodeEcho(1, 1, counting(4));
const echo = (ends = {}): Uint8Array => ipv4Frame({ protocol: PROTOCOL_ICMP }, ECHO, ends);
const IPV6 = encodeIpv6({ source: 1n, target: ALL_NODES, nextHeader: 59 }, counting(3));
const ipv6Frame = (targetMac: number) => encodeEthernet(targetMac, B_MAC, 0x86dd, IPV6);

describe("which frames the PC processes", () => {
  test("frames to the PC, to all, and to IPv6 groups", () => {
    const group = ipv6MulticastMac(ALL_NODES);
    expect(seen(echo(), echo({ targetMac: BROADCAST_MAC }))).toEqual(["ipv4", "ipv4"]);
    expect(seen(ipv6Frame(A_MAC), ipv6Frame(group))).toEqual(["ipv6", "ipv6"]);
    expect(seen(arpRequest(B_IP, B_MAC))).toEqual(["arp"]);
  });

  test("not frames to other hosts, to IPv4 groups, or IPv6 broadcasts", () => {
    expect(seen(echo({ targetMac: B_MAC }), echo({ targetMac: 0x0100_5e00_0005 }))).toEqual([]);
    expect(seen(echo({ targetMac: ipv6MulticastMac(ALL_NODES) }), ipv6Frame(BROADCAST_MAC))).toEqual([]);
  });

  test("not frames from a group address", () => {
    expect(seen(echo({ sourceMac: BROADCAST_MAC }), echo({ sourceMac: 0x0100_0000_0001 }))).toEqual([]);
  });

  test("not tagged frames, unknown types, or truncated frames", () => {
    const frame = echo();
    const tagged = concatBytes(frame.subarray(0, 12), Uint8Array.of(0x81, 0, 0, 0), frame.subarray(12));
    const unknown = frame.slice();
    writeU16(unknown, 12, 0x88cc);
    expect(seen(tagged, unknown, new Uint8Array(), frame.subarray(0, 13), frame.subarray(0, -1))).toEqual([]);
    expect(seen(arpRequest(B_IP, B_MAC).subarray(0, 41), ipv6Frame(A_MAC).subarray(0, -1))).toEqual([]);
  });

  test("a datagram to another address, for a PC without an address", () => {
    const fields = { protocol: PROTOCOL_ICMP, target: 0xffff_ffff };
    expect(seen(ipv4Frame(fields, ECHO, { targetMac: BROADCAST_MAC }))).toEqual(["ipv4"]);
  });

  test("a payload with the length from the header, not from the frame", () => {
    const lone = new LonePc();
    const packets: (Received | undefined)[] = [];
    lone.pc.spawn(
      (function* (): Script {
        packets.push(yield { timeoutUs: 1000, accept: () => true });
      })(),
    );
    lone.hear(concatBytes(echo(), new Uint8Array(14)));
    expect(packets).toMatchObject([{ payload: ECHO, totalBytes: 20 + ECHO.length }]);
  });
});

describe("hostile frames", () => {
  const anyMac = fc.constantFrom(A_MAC, B_MAC, BROADCAST_MAC, ipv6MulticastMac(ALL_NODES));
  const anyType = fc.constantFrom(0x0800, 0x0806, 0x86dd, 0x8100);
  const anyBytes = fc.uint8Array({ maxLength: 120 });
  const anyFrame = fc
    .tuple(anyMac, anyMac, anyType, anyBytes)
    .map(([target, source, type, bytes]) => encodeEthernet(target, source, type, bytes));
  const anyIpv4 = fc
    .tuple(
      fc.constantFrom(B_IP, A_IP, 0, 0xffff_ffff, 0x0808_0808),
      fc.constantFrom(1, 6, 17, 50),
      fc.nat(255),
      fc.boolean(),
      fc.nat(0x1fff),
      fc.uint8Array({ maxLength: 60 }),
    )
    .map(([source, protocol, ttl, moreFragments, offset, payload]) => {
      const fields = { source, target: A_IP, protocol, ttl, moreFragments, fragmentOffset: offset * 8 };
      return encodeEthernet(A_MAC, B_MAC, 0x0800, encodeIpv4(fields, payload)[0]!);
    });
  const good = [
    echo(),
    arpRequest(B_IP, B_MAC),
    ipv6Frame(A_MAC),
    ipv4Frame({ protocol: 17 }, encodeUdp4(B_IP, A_IP, { sourcePort: 9, targetPort: 9, data: counting(9) })),
    ipv4Frame(
      { protocol: 6 },
      encodeTcp4(B_IP, A_IP, {
        sourcePort: 9,
        targetPort: 9,
        sequence: 1,
        acknowledgement: 2,
        flags: TCP_SYN,
        window: 1,
        options: counting(4),
        data: counting(3),
      }),
    ),
  ];
  const anyDamaged = fc
    .tuple(
      fc.constantFrom(...good),
      fc.array(fc.tuple(fc.nat(90), fc.nat(255)), { maxLength: 4 }),
      fc.nat(90),
    )
    .map(([frame, changes, length]) => {
      const damaged = frame.slice(0, Math.max(length, 20));
      for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
      return damaged;
    });

  test.each([
    ["any bytes", anyBytes],
    ["any payload behind a header for the PC", anyFrame],
    ["any IPv4 packet", anyIpv4],
    ["a good frame, damaged or cut", anyDamaged],
  ])("%s never make it throw", (_title, anyOf) => {
    fc.assert(
      fc.property(fc.array(anyOf, { maxLength: 20 }), (frames) => {
        const lone = new LonePc();
        lone.state.ipv4.gateway = GATEWAY_IP;
        lone.hear(...frames);
        JSON.parse(JSON.stringify(lone.state));
      }),
    );
  });
});
