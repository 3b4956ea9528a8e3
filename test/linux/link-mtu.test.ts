/** A link whose MTU the sender sees, with Linux nodes at its end: as the sender, and as the router of another sender. */
import { describe, expect, test } from "vitest";
import { hasImage, playWithFrames } from "../helpers/play-linux.ts";

const LINK = `impairments: { both: { mtu: { bytes: 1400, larger: icmp } } }`;
const BYTES = 300_000;

describe.skipIf(!hasImage("debian"))(
  "a link with an MTU and Linux (skipped without the image: wirelab image build debian)",
  () => {
    test("the guest learns the MTU, and its transfer arrives", () => {
      const { printed } = playWithFrames(`
nodes:
  a: { type: linux, ports: [[10.0.0.1/24, "2001:db8::1/64"]] }
  b: { type: server, ip: [10.0.0.2/24, "2001:db8::2/64"] }
links: [{ link: a -- b, ${LINK} }]
run:
  - { at: 1s, console: { a: ["dd if=/dev/zero bs=1000 count=${BYTES / 1_000} | nc -w 5 10.0.0.2 5001", ip route get 10.0.0.2] } }
  - { at: 12s, console: { a: ["dd if=/dev/zero bs=1000 count=${BYTES / 1_000} | nc -w 5 2001:db8::2 5001", ip route get 2001:db8::2] } }
  - { at: 24s, console: { b: show throughput } }
duration: 25s
`);
      expect(printed("a").match(/mtu 1400/g)).toHaveLength(2);
      expect(printed("b").match(new RegExp(`received .*: ${BYTES} bytes`, "g"))).toHaveLength(2);
    });

    test("the guest forwards the report to a sender behind it", () => {
      const { printed, frames } = playWithFrames(`
nodes:
  s: { type: server, ip: 10.0.1.2/24, gateway: 10.0.1.1 }
  r: { type: linux, ports: [10.0.1.1/24, 10.0.0.1/24], commands: [sysctl -w net.ipv4.ip_forward=1] }
  b: { type: server, ip: 10.0.0.2/24, gateway: 10.0.0.1 }
links: ["s -- r:0", { link: "r:1 -- b", ${LINK} }]
run:
  - { at: 1s, console: { s: send 10.0.0.2 -n ${BYTES} } }
  - { at: 10s, console: { b: send 10.0.1.2 -n ${BYTES} } }
duration: 20s
`);
      expect(printed("s")).toContain(`${BYTES} bytes in`);
      expect(printed("b")).toContain(`${BYTES} bytes in`);
      expect(frames.some(({ from, to, frame }) => from === "r" && to === "s" && frame[23] === 1)).toBe(true);
    });
  },
);
