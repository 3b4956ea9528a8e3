import { decodeIpv4, PROTOCOL_TCP } from "@wirelab/engine/wire/ipv4";
import { describe, expect, test } from "vitest";
import {
  decodeTcp,
  encodeTcp4,
  TCP_ACK,
  TCP_FIN,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
  type Tcp,
} from "../../../../../../packages/engine/wire/tcp.ts";
import { BENCH_START_US } from "../../../../../helpers/engine/device-bench.ts";
import { type Answer, icmpError, output, pcAndHost, twoPcs } from "./pc-bench.ts";

const CONNECTED = "Connect   7@10.0.0.2 seq=1 ttl=255 time=T ms\n";
const SENT = "SendData  7@10.0.0.2 seq=1 ttl=255 time=T ms\n";

/** A server that answers each segment with the flags that `flagsFor` returns; undefined for no answer. */
const server =
  (flagsFor: (tcp: Tcp) => number | undefined): Answer =>
  ({ source, target }, payload) => {
    const tcp = decodeTcp(payload);
    const flags = tcp === null ? undefined : flagsFor(tcp);
    if (tcp === null || flags === undefined) return undefined;
    const taken = tcp.data.length + (tcp.flags & (TCP_SYN | TCP_FIN) ? 1 : 0);
    const reply = {
      sourcePort: tcp.targetPort,
      targetPort: tcp.sourcePort,
      sequence: 0xffff_ffff,
      acknowledgement: (tcp.sequence + taken) >>> 0,
      flags,
      window: 100,
      options: new Uint8Array(),
      data: new Uint8Array(),
    };
    return { from: "10.0.0.2", protocol: PROTOCOL_TCP, payload: encodeTcp4(target, source, reply) };
  };

const accepts = ({ flags }: Tcp): number | undefined => (flags === TCP_SYN ? TCP_SYN | TCP_ACK : undefined);

describe("a TCP ping", () => {
  test("prints the three phases of each connection", () => {
    expect(output(twoPcs(), "A", "ping 10.0.0.2 -c 2 -3 -p 80")).toBe(
      `
Connect   80@10.0.0.2 seq=1 ttl=64 time=T ms
SendData  80@10.0.0.2 seq=1 ttl=64 time=T ms
Close     80@10.0.0.2 seq=1 ttl=64 time=T ms
Connect   80@10.0.0.2 seq=2 ttl=64 time=T ms
SendData  80@10.0.0.2 seq=2 ttl=64 time=T ms
Close     80@10.0.0.2 seq=2 ttl=64 time=T ms
`,
    );
  });

  test("exchanges nine segments, in VPCS's order and sizes", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const before = bench.frames.length;
    bench.type("A", "ping 10.0.0.2 -c 1 -3");
    const frames = bench.frames.slice(before);
    const flow = frames.map(({ from, frame }) => [from, decodeTcp(frame.subarray(34))!.flags, frame.length]);
    expect(flow).toEqual([
      ["A", TCP_SYN, 74],
      ["B", TCP_SYN | TCP_ACK, 54],
      ["A", TCP_ACK, 66],
      ["A", TCP_PSH | TCP_ACK, 122],
      ["B", TCP_ACK, 54],
      ["A", TCP_FIN | TCP_PSH | TCP_ACK, 66],
      ["B", TCP_ACK, 54],
      ["B", TCP_FIN | TCP_ACK, 54],
      ["A", TCP_ACK, 66],
    ]);
    const [syn, synAck, , data, , , , , last] = frames.map(({ frame }) => decodeTcp(frame.subarray(34))!);
    expect([...syn!.options.subarray(0, 8), ...syn!.options.subarray(12)]).toEqual([
      ...[2, 4, 0x05, 0xb4, 1, 1, 8, 10],
      ...[0, 0, 0, 0, 1, 3, 3, 1],
    ]);
    expect(syn!.window).toBe(2920);
    expect([...data!.data.subarray(0, 4)]).toEqual([0x0d, 0x0a, 0x0d, 0x0a]);
    expect(last!.sequence).toBe((syn!.sequence + 1 + 56 + 1) >>> 0);
    expect(last!.acknowledgement).toBe((synAck!.sequence + 2) >>> 0);
    const ids = frames.filter(({ from }) => from === "A").map(({ frame }) => decodeIpv4(frame, 14)!.id);
    expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
  });

  test("tries three times to connect, each time with a new sequence number", () => {
    const { bench } = pcAndHost();
    const before = bench.frames.length;
    const startUs = bench.nowUs;
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3 -w 300")).toBe("\nConnect   7@10.0.0.2 timeout\n");
    const syns = bench.frames.slice(before).map(({ frame }) => decodeTcp(frame.subarray(34)));
    expect(
      new Set(syns.filter((tcp) => tcp !== null).map(({ sequence }) => sequence)).size,
    ).toBeGreaterThanOrEqual(3);
    expect(bench.nowUs - startUs).toBeGreaterThanOrEqual(4 * 300_000);
  });

  test.each([
    ["a reset", TCP_RST | TCP_ACK, "Connect   7@10.0.0.2 RST returned\n"],
    ["an acknowledgement without SYN", TCP_ACK, "Connect   7@10.0.0.2 timeout\n"],
  ])("does not accept %s as a connection", (_what, flags, expected) => {
    const { bench, host } = pcAndHost();
    host.answer = server(() => flags);
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3")).toBe(`\n${expected}`);
  });

  test("reports data that the server does not acknowledge or resets", () => {
    const { bench, host } = pcAndHost();
    host.answer = server(accepts);
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3")).toBe(`\n${CONNECTED}SendData  7@10.0.0.2 timeout\n`);
    host.answer = server((tcp) => accepts(tcp) ?? (tcp.flags & TCP_PSH ? TCP_RST : undefined));
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3")).toBe(
      `\n${CONNECTED}SendData  7@10.0.0.2 RST returned\n`,
    );
  });

  test("reports how long it waited for a close that did not come", () => {
    const { bench, host } = pcAndHost();
    host.answer = server((tcp) => accepts(tcp) ?? (tcp.flags === TCP_ACK ? undefined : TCP_ACK));
    const text = bench.type("A", "ping 10.0.0.2 -c 1 -3 -w 300");
    expect(text).toMatch(/\nClose {5}7@10\.0\.0\.2 timeout\(900\.\d{3}ms\)\n/);
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3")).toBe(
      `\n${CONNECTED}${SENT}Close     7@10.0.0.2 timeout(T ms)\n`,
    );
  });

  test("reports an ICMP error in place of the phase, and continues with the next connection", () => {
    const { bench, host } = pcAndHost();
    host.answer = (_header, _payload, frame) => icmpError("10.0.0.2", 3, 2, frame);
    const error = "ttl=255 time=T ms (ICMP type:3, code:2, Destination protocol unreachable)";
    expect(output(bench, "A", "ping 10.0.0.2 -c 2 -3")).toBe(
      `\n*10.0.0.2 tcp_seq=1 ${error}\n*10.0.0.2 tcp_seq=2 ${error}\n`,
    );
  });

  test.each([
    ["S", TCP_SYN, 20],
    ["sa", TCP_SYN | TCP_ACK, 12],
    ["FP", TCP_FIN | TCP_PSH, 12],
  ])(
    "with flags %s sends one bare segment a packet, with the clock as its sequence number",
    (letters, flags, optionsBytes) => {
      const { bench, host } = pcAndHost();
      const segments: Tcp[] = [];
      host.answer = (_header, payload) => {
        segments.push(decodeTcp(payload)!);
        return undefined;
      };
      const startUs = bench.nowUs + BENCH_START_US;
      bench.type("A", `ping 10.0.0.2 -c 2 -3 -w 300 -f ${letters} -l 99`);
      expect(segments.map((tcp) => [tcp.flags, tcp.window, tcp.options.length, tcp.data.length])).toEqual(
        new Array(2).fill([flags, 2920, optionsBytes, 0]),
      );
      expect(segments.map(({ sequence }) => sequence - Math.floor(startUs / 1_000_000))).toEqual([0, 1]);
      expect(segments[0]!.sourcePort).toBe(segments[1]!.sourcePort);
    },
  );

  test("with flags accepts a reset as an answer, too", () => {
    const { bench, host } = pcAndHost();
    host.answer = server(() => TCP_RST);
    expect(output(bench, "A", "ping 10.0.0.2 -c 1 -3 -f SA")).toBe(
      "\n40 bytes from 10.0.0.2 tcp_seq=1 ttl=255 time=T ms\n",
    );
  });
});
