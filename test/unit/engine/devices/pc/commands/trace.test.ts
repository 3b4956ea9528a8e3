import { readU16 } from "@wirelab/engine/base/bytes";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { decodeUdp } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { decodeTcp, TCP_SYN } from "../../../../../../packages/engine/wire/tcp.ts";
import { type Answer, icmpError, onePc, output, pcAndHost, twoPcs } from "./pc-bench.ts";

const HEADER = "trace to 8.8.8.8, 8 hops max, press Ctrl+C to stop\n";

/** Four hops: a router, a silent one, another router, the target. */
const path: Answer = ({ ttl, protocol }, payload, frame) => {
  if (ttl === 1) return icmpError("10.0.0.254", 11, 0, frame);
  if (ttl === 2) return undefined;
  if (ttl === 3) return icmpError("192.0.2.5", 11, 0, frame);
  if (protocol !== PROTOCOL_ICMP) return icmpError("8.8.8.8", 3, 3, frame);
  return {
    from: "8.8.8.8",
    protocol,
    payload: encodeIcmp(0, 0, readU16(payload, 4) * 0x1_0000, payload.subarray(8)),
  };
};

describe("a trace", () => {
  test("over UDP prints hops, silent hops, and the reason for its end", () => {
    const { bench, host } = pcAndHost();
    host.answer = path;
    expect(output(bench, "A", "trace 8.8.8.8")).toBe(
      `${HEADER} 1   10.0.0.254   T ms  T ms  T ms
 2     *  *  *
 3   192.0.2.5   T ms  T ms  T ms
 4   *8.8.8.8   T ms (ICMP type:3, code:3, Destination port unreachable)
`,
    );
    expect(host.packets).toHaveLength(12);
  });

  test("over ICMP ends with the reply of the target", () => {
    const { bench, host } = pcAndHost();
    host.answer = path;
    expect(output(bench, "A", "trace 8.8.8.8 -P 1")).toBe(
      `trace to 8.8.8.8, 8 hops max (ICMP), press Ctrl+C to stop
 1   10.0.0.254   T ms  T ms  T ms
 2     *  *  *
 3   192.0.2.5   T ms  T ms  T ms
 4   8.8.8.8   T ms  T ms  T ms
`,
    );
  });

  test("over TCP ends with any segment from the target", () => {
    const bench = twoPcs();
    const before = bench.frames.length;
    expect(output(bench, "A", "trace 10.0.0.2 -P 6")).toBe(
      "trace to 10.0.0.2, 8 hops max (TCP), press Ctrl+C to stop\n 1   10.0.0.2   T ms  T ms  T ms\n",
    );
    const probes = bench.frames
      .slice(before)
      .filter(({ from, frame }) => from === "A" && decodeIpv4(frame, 14));
    const segments = probes.map(({ frame }) => decodeTcp(frame.subarray(34))!);
    expect(segments.map(({ flags, window }) => [flags, window])).toEqual(new Array(3).fill([TCP_SYN, 0]));
    expect(segments[0]!.targetPort).toBe(segments[0]!.sourcePort + 1);
  });

  test("to another PC ends with its first answer", () => {
    expect(output(twoPcs(), "A", "trace 10.0.0.2")).toBe(
      `trace to 10.0.0.2, 8 hops max, press Ctrl+C to stop
 1   *10.0.0.2   T ms (ICMP type:3, code:3, Destination port unreachable)
`,
    );
  });

  test("sends three probes a hop, numbered from 0, of one form and between two ports", () => {
    const { bench, host } = pcAndHost();
    host.answer = path;
    const before = bench.frames.length;
    bench.type("A", "trace 8.8.8.8");
    expect(host.packets.map(({ ttl }) => ttl)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    expect(host.packets.map(({ id }) => id)).toEqual(host.packets.map((_, index) => index));
    expect(host.packets.every(({ dontFragment, totalBytes }) => dontFragment && totalBytes === 92)).toBe(
      true,
    );
    const probes = bench.frames
      .slice(before)
      .filter(({ from, frame }) => from === "A" && frame.length === 106);
    const ports = probes
      .map(({ frame }) => decodeUdp(frame.subarray(34))!)
      .map((udp) => [udp.sourcePort, udp.targetPort]);
    expect(ports).toEqual(new Array(12).fill([ports[0]![0], ports[0]![0]! + 1]));
  });

  test.each([
    ["trace 8.8.8.8 -m 2", 2],
    ["trace 8.8.8.8 2", 2],
    ["trace 8.8.8.8 64", 64],
    ["trace 8.8.8.8", 8],
  ])("%s tries at most %i hops", (line, hops) => {
    const { bench } = pcAndHost();
    const lines = output(bench, "A", line).split("\n");
    expect(lines[0]).toBe(`trace to 8.8.8.8, ${hops} hops max, press Ctrl+C to stop`);
    expect(lines.slice(1, -1)).toHaveLength(hops);
    expect(lines.at(-2)).toBe(`${String(hops).padStart(2)}     *  *  *`);
  });

  test("shows a lost probe, and the address of the first that was answered", () => {
    const { bench, host } = pcAndHost();
    let probes = 0;
    host.answer = (_header, _payload, frame) =>
      ++probes % 3 === 1 ? undefined : icmpError(`10.0.0.${250 + probes}`, 11, 0, frame);
    expect(output(bench, "A", "trace 8.8.8.8 1")).toMatch(/\n 1 {3}10\.0\.0\.252 {3}\* {2}T ms {2}T ms\n$/);
  });

  test("does not accept an answer to an earlier probe for the current one", () => {
    const { bench, host } = pcAndHost();
    let first: Uint8Array | undefined;
    host.answer = (_header, _payload, frame) => {
      if (first !== undefined) return icmpError("10.0.0.254", 11, 0, first);
      first = frame;
      return undefined;
    };
    expect(output(bench, "A", "trace 8.8.8.8 1")).toMatch(/\n 1 {5}\* {2}\* {2}\*\n$/);
  });

  test("to the PC's own address sends nothing", () => {
    const bench = twoPcs();
    const before = bench.frames.length;
    expect(output(bench, "A", "trace 10.0.0.1")).toBe(
      "traceroute to 10.0.0.1, 8 hops max\n 1 10.0.0.1     T ms\n",
    );
    expect(bench.frames).toHaveLength(before);
  });

  test.each([
    [
      "trace 10.0.0.77",
      "trace to 10.0.0.77, 8 hops max, press Ctrl+C to stop\nhost (10.0.0.77) not reachable\n",
    ],
    ["trace 8.8.8.8", `${HEADER}host (10.0.0.254) not reachable\n`],
    ["trace nobody", "Cannot resolve nobody\n"],
    ["trace 10.0.0.2 -P", "Missing protocol\n"],
    ["trace 10.0.0.2 -P 3", "Invalid protocol\n"],
    ["trace 10.0.0.2 -P constructor", "Invalid protocol\n"],
    ["trace 10.0.0.2 -m", "Missing TTL\n"],
    ["trace 10.0.0.2 -m 0", "Invalid TTL\n"],
    ["trace 10.0.0.2 -m 65", "Invalid TTL\n"],
    ["trace 10.0.0.2 -m x", "Invalid TTL\n"],
    ["trace 10.0.0.2 65", "Invalid TTL\n"],
  ])("%s: %j", (line, expected) => {
    expect(output(twoPcs(), "A", line)).toBe(expected);
  });

  test("needs a gateway to other subnets", () => {
    const { bench } = onePc();
    bench.type("A", "ip 10.0.0.1/24");
    expect(output(bench, "A", "trace 8.8.8.8")).toBe(`${HEADER}No gateway found\n`);
  });

  test("prints its help for unknown words", () => {
    const bench = twoPcs();
    const help = output(bench, "A", "trace ?");
    expect(output(bench, "A", "trace 10.0.0.2 -x")).toBe(help);
    expect(output(bench, "A", "trace 10.0.0.2 word")).toBe(help);
    expect(output(bench, "A", "trace")).toBe(help);
  });

  test("over IPv6 tries at most 64 hops", () => {
    const bench = twoPcs();
    bench.type("A", "ip 2001:db8::1/64");
    bench.type("B", "ip 2001:db8::2/64");
    expect(output(bench, "A", "trace 2001:db8::2")).toMatch(/^\ntrace to 2001:db8::2, 64 hops max\n 1 /);
  });
});
