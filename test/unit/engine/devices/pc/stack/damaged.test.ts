/** Packets that are damaged on their way to a PC. */

import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6, ICMPV6_ECHO } from "@wirelab/engine/wire/icmpv6";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { encodeTcp4, TCP_SYN } from "../../../../../../packages/engine/wire/tcp.ts";
import {
  advertisement,
  frame6,
  ip6,
  PC_MAC,
  prefixOption,
  routerFrame,
  routerMessage,
  solicitation,
} from "../../../../../helpers/engine/ipv6-frames.ts";
import { LabBuilder, plan } from "../../../../../helpers/engine/lab-builder.ts";
import { A_IP, B_IP, counting, ipv4Frame, ipv4Frames, LonePc } from "./bare-pc.ts";

const GLOBAL = "2001:db8::1";
const SYN = {
  sourcePort: 9,
  targetPort: 80,
  sequence: 1,
  acknowledgement: 0,
  flags: TCP_SYN,
  window: 1,
  options: new Uint8Array(),
  data: new Uint8Array(),
};
const UDP = { sourcePort: 9, targetPort: 9, data: counting(30) };
const TO_PC = { source: "fe80::ff:fe00:2", target: "fe80::250:79ff:fe66:6800" };
const GROUP = { source: "fe80::ff:fe00:2", target: "ff02::1:ff66:6800", targetMac: 0x3333_ff66_6800 };

/** Frames that the PC answers, by name. */
const ANSWERED: readonly [string, Uint8Array][] = [
  ["an echo request", ipv4Frame({ protocol: 1 }, encodeEcho(1, 1, counting(30)))],
  ["a datagram", ipv4Frame({ protocol: 17 }, encodeUdp4(B_IP, A_IP, UDP))],
  ["a segment", ipv4Frame({ protocol: 6 }, encodeTcp4(B_IP, A_IP, SYN))],
  ["an echo request over IPv6", frame6(TO_PC, encodeIcmpv6(ICMPV6_ECHO, 0, 1, counting(30)))],
  ["a neighbour solicitation", frame6(GROUP, solicitation(TO_PC.target))],
];

const flipped = (frame: Uint8Array, at: number): Uint8Array => frame.with(at, frame.at(at)! ^ 1);
/** Changes a byte that only the message's checksum covers: the low byte of that checksum, or the last byte. */
const damaged = (frame: Uint8Array): Uint8Array => flipped(frame, -1);

describe.each(ANSWERED)("%s", (_title, frame) => {
  test("is answered", () => {
    expect(new LonePc().hear(frame)).toHaveLength(1);
  });

  test("that was damaged is not answered", () => {
    expect(new LonePc().hear(damaged(frame))).toEqual([]);
  });

  test("that was damaged is answered by a PC that ignores checksums", () => {
    expect(new LonePc({ ignoresChecksums: true }).hear(damaged(frame))).toHaveLength(1);
  });
});

test("a packet whose IPv4 header was damaged is not answered, except by a PC that ignores checksums", () => {
  const typeOfServiceAt = 15;
  const frame = flipped(ipv4Frame({ protocol: 1 }, encodeEcho(1, 1, counting(4))), typeOfServiceAt);
  expect(new LonePc().hear(frame)).toEqual([]);
  expect(new LonePc({ ignoresChecksums: true }).hear(frame)).toHaveLength(1);
});

test("a datagram with a damaged fragment is not answered", () => {
  const frames = ipv4Frames({ protocol: 1 }, encodeEcho(1, 1, counting(3000)), {}, 1500);
  expect(new LonePc().hear(...frames)).toHaveLength(3);
  expect(new LonePc().hear(frames[0]!, damaged(frames[1]!), frames[2]!)).toEqual([]);
});

test("nothing is learned from damaged advertisements", () => {
  const lone = new LonePc();
  lone.state.ipv6.global = { address: GLOBAL, prefixLength: 64, eui64: false };
  lone.hear(damaged(frame6({ ...TO_PC, target: GLOBAL }, advertisement("2001:db8::2"))));
  expect(lone.state.ipv6.neighbours).toEqual([]);
  lone.state.ipv6.global = undefined;
  lone.hear(damaged(routerFrame(routerMessage([prefixOption("2001:db8::")]))));
  expect([lone.state.ipv6.global, lone.state.ipv6.routerMac]).toEqual([undefined, undefined]);
});

test("UDP over IPv6 without a checksum is not answered", () => {
  const packet = Uint8Array.of(
    0x60,
    0,
    0,
    0,
    0,
    14,
    17,
    64,
    ...new Uint8Array(32),
    0,
    9,
    0,
    9,
    0,
    14,
    0,
    0,
    ...counting(6),
  );
  const frame = encodeEthernet(PC_MAC, 0x0200_0000_0002, 0x86dd, packet);
  const write = (at: number, address: bigint) => {
    for (let byte = 0; byte < 16; byte++)
      frame[at + byte] = Number((address >> BigInt(120 - 8 * byte)) & 0xffn);
  };
  write(22, ip6(TO_PC.source));
  write(38, ip6(TO_PC.target));
  expect(new LonePc().hear(frame)).toEqual([]);
  expect(new LonePc({ ignoresChecksums: true }).hear(frame)).toHaveLength(1);
});

describe("a link that damages 30 % of the packets", () => {
  const COUNT = 300;
  const answeredOf = (ignoresChecksums: boolean): number => {
    const lab = new LabBuilder();
    for (const index of [1, 2])
      lab.add(`PC${index}`, {
        type: "vpcs",
        name: `PC${index}`,
        index,
        startupScript: `ip 10.0.0.${index}/24`,
        ignoresChecksums,
      });
    lab.join(["PC1", 0], ["PC2", 0], {
      filters: { settings: { corrupt: [30] }, bpfPredicates: [] },
    });
    const simulation = lab.simulate();
    const session = plan(simulation, "PC1", Array<string>(COUNT).fill("ping 10.0.0.2 -c 1 -i 1"), 5);
    simulation.advance();
    return session.output.match(/bytes from/g)?.length ?? 0;
  };

  test("loses half the answers of a ping, and almost none where PCs ignore checksums", () => {
    // 0.7 * 0.7 of the round trips are undamaged. Of a frame's 98 bytes, a flip in a MAC address also loses an answer.
    expect(answeredOf(false) / COUNT).toBeGreaterThan(0.4);
    expect(answeredOf(false) / COUNT).toBeLessThan(0.6);
    expect(answeredOf(true) / COUNT).toBeGreaterThan(0.8);
  });
});
