/** A PC drops the damaged packets that tshark reports as damaged. */

import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6, ICMPV6_ECHO } from "@wirelab/engine/wire/icmpv6";
import { encodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { encodeTcp4, TCP_SYN } from "../../packages/engine/wire/tcp.ts";
import { frame6 } from "../helpers/engine/ipv6-frames.ts";
import { complaints, hasTshark } from "../helpers/proof/tshark.ts";
import { A_IP, B_IP, counting, ipv4Frame, LonePc } from "../unit/engine/devices/pc/stack/bare-pc.ts";

const UDP = { sourcePort: 9, targetPort: 5000, data: counting(20) };
const SYN = {
  sourcePort: 9,
  targetPort: 5000,
  sequence: 1,
  acknowledgement: 0,
  flags: TCP_SYN,
  window: 1,
  options: new Uint8Array(),
  data: counting(20),
};
const LINK_LOCAL = { source: "fe80::ff:fe00:2", target: "fe80::250:79ff:fe66:6800" };

/** For a bit flipped at `from` or later, tshark reports a wrong checksum and not a malformed packet. */
const FRAMES: readonly [string, frame: Uint8Array, from: number][] = [
  ["an echo request", ipv4Frame({ protocol: 1 }, encodeEcho(1, 1, counting(20))), 34],
  ["a datagram", ipv4Frame({ protocol: 17 }, encodeUdp4(B_IP, A_IP, UDP)), 42],
  ["a segment", ipv4Frame({ protocol: 6 }, encodeTcp4(B_IP, A_IP, SYN)), 48],
  ["an echo request over IPv6", frame6(LINK_LOCAL, encodeIcmpv6(ICMPV6_ECHO, 0, 1, counting(20))), 56],
  ["a datagram over IPv6", frame6({ ...LINK_LOCAL, nextHeader: 17 }, encodeUdp(UDP, 0)), 62],
];

const isAnswered = (frame: Uint8Array): boolean => new LonePc().hear(frame).length > 0;

describe.skipIf(!hasTshark)(`tshark and a PC${hasTshark ? "" : " (skipped: it is not installed)"}`, () => {
  test.each(FRAMES)("refuse %s with any bit flipped", (_title, frame, from) => {
    const damaged = Array.from({ length: (frame.length - from) * 8 }, (_, bit) => {
      const at = from + (bit >> 3);
      return frame.with(at, frame[at]! ^ (1 << (bit & 7)));
    });
    expect(complaints(damaged.map((each) => ({ from: "B", atUs: 0, frame: each })))).toHaveLength(
      damaged.length,
    );
    expect(damaged.filter(isAnswered)).toEqual([]);
    expect(complaints([{ from: "B", atUs: 0, frame }])).toEqual([]);
    expect(isAnswered(frame)).toBe(true);
  });
});
