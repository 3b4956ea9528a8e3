/** Two PCs on one link, with commands typed at their consoles: docs/interface.md, section 9.12. */

import { Pc } from "@wirelab/engine/devices/pc/index";
import { describe, expect, test } from "vitest";
import { decodeTcp } from "../../../../../../packages/engine/wire/tcp.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { see6 } from "../../../../../helpers/engine/ipv6-frames.ts";
import { hexOf } from "../../../../../helpers/engine/script-pc.ts";

function makePair(): DeviceBench {
  const bench = new DeviceBench();
  for (const [index, name] of ["A", "B"].entries())
    bench.add(name, (world) => new Pc({ type: "vpcs", name, index, startupScript: "" }, world));
  bench.wire(["A", 0], ["B", 0]);
  bench.type("A", "ip 2001:db8::1/64");
  bench.type("B", "ip 2001:db8::2/64");
  bench.frames.length = 0;
  return bench;
}

/** What a command prints, without the echoed line and the next prompt; times are replaced by `T`. */
function outputOf(bench: DeviceBench, name: string, line: string): string[] {
  const text = bench.type(name, line);
  const begin = `${name}> ${line}\n`;
  const end = `\n${name}> `;
  expect(text.startsWith(begin) && text.endsWith(end)).toBe(true);
  const output = text.slice(begin.length, -end.length);
  return output
    .replaceAll(/\d+\.\d{3}(?= ?ms)/g, "T")
    .split("\n")
    .slice(0, -1);
}

const NAMES: Record<number, string> = {
  1: "error",
  128: "echo",
  129: "reply",
  133: "RS",
  135: "NS",
  136: "NA",
};

/** `A NS 86`: sender, kind of packet, bytes. */
const story = (bench: DeviceBench): string[] =>
  bench.frames.map(({ from, frame }) => {
    const seen = see6(frame)!;
    expect(seen.isIntact).toBe(true);
    const kind = seen.header.nextHeader === 58 ? NAMES[seen.payload[0]!] : `${seen.header.nextHeader}`;
    return `${from} ${kind} ${frame.length}`;
  });

describe("ping", () => {
  test("solicits the neighbour, is solicited by it, and prints a line a second without a pause at the end", () => {
    const bench = makePair();
    const before = bench.nowUs;
    expect(outputOf(bench, "A", "ping 2001:db8::2")).toEqual([
      "",
      ...[1, 2, 3, 4, 5].map((sequence) => `2001:db8::2 icmp6_seq=${sequence} ttl=64 time=T ms`),
    ]);
    expect(story(bench).slice(0, 8)).toEqual([
      "A NS 86",
      "B NA 86",
      "A echo 118",
      "B NS 86",
      "A NA 86",
      "B reply 118",
      "A echo 118",
      "B reply 118",
    ]);
    expect(Math.round((bench.nowUs - before) / 1e5)).toBe(40);
  });

  test("sends golden echo requests: hop limit 64, the clock as id, data from 00", () => {
    const bench = makePair();
    outputOf(bench, "A", "ping 2001:db8::2 -c 2 -T 9");
    const echoes = bench.frames.filter(({ frame }) => frame[54] === 128).map(({ frame }) => hexOf(frame));
    expect(echoes[0]!.slice(0, 44)).toBe("005079666801" + "005079666800" + "86dd" + "6000000000403a09");
    // 2026-01-01 00:00:00 UTC is 0x6955b900.
    expect(echoes[0]!.slice(116, 124)).toBe("00b90001");
    expect(echoes[1]!.slice(116, 124)).toBe("00b90002");
    const data = Array.from({ length: 56 }, (_, i) => i.toString(16).padStart(2, "0")).join("");
    expect(echoes[0]!.slice(124)).toBe(data);
  });

  test("fills data bytes up to 254 and begins again, as VPCS does", () => {
    const bench = makePair();
    outputOf(bench, "A", "ping 2001:db8::2 -c 1 -l 300");
    const { frame } = bench.frames.find(({ frame }) => frame[54] === 128)!;
    expect([...frame.subarray(62 + 253, 62 + 258)]).toEqual([253, 254, 0, 1, 2]);
  });

  test("reports an absent host after one solicitation and a second", () => {
    const bench = makePair();
    const before = bench.nowUs;
    expect(outputOf(bench, "A", "ping 2001:db8::99")).toEqual(["", "host (2001:db8::99) not reachable"]);
    expect(story(bench)).toEqual(["A NS 86"]);
    expect(bench.nowUs - before).toBe(1_000_000);
  });

  test("off the link, without a router, asks for routers every 10 ms for a second", () => {
    const bench = makePair();
    const before = bench.nowUs;
    expect(outputOf(bench, "A", "ping 2001:db8:1::9")).toEqual(["", "host (2001:db8:1::9) not reachable"]);
    expect(story(bench)).toEqual(new Array(100).fill("A RS 62"));
    expect(bench.nowUs - before).toBe(1_000_000);
  });

  test("of either own address prints five lines for any count, and sends nothing", () => {
    const bench = makePair();
    for (const address of ["2001:db8::1", "fe80::250:79ff:fe66:6800"])
      expect(outputOf(bench, "A", `ping ${address} -c 2`)).toEqual([
        "",
        ...[1, 2, 3, 4, 5].map((sequence) => `${address} icmp_seq=${sequence} ttl=64 time=T ms`),
      ]);
    expect(bench.frames).toEqual([]);
  });

  test("of a link-local address needs no solicitation, because the address contains the MAC", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "ping fe80::250:79ff:fe66:6801 -c 1")).toEqual([
      "",
      "fe80::250:79ff:fe66:6801 icmp6_seq=1 ttl=64 time=T ms",
    ]);
    expect(story(bench)).toEqual(["A echo 118", "B reply 118"]);
    expect(see6(bench.frames[0]!.frame)?.from).toBe("fe80::250:79ff:fe66:6800");
  });

  test.each([
    ["fe80::9", 0x0200_0000_0009],
    ["fe80::1234:5678:9abc:def0", 0x1034_56bc_def0],
  ])("of %s goes to the MAC that the address derives from, without a solicitation", (target, mac) => {
    const bench = makePair();
    expect(outputOf(bench, "A", `ping ${target} -c 1`)).toEqual(["", `${target} icmp6_seq=1 timeout`]);
    expect(story(bench)).toEqual(["A echo 118"]);
    expect(see6(bench.frames[0]!.frame)).toMatchObject({
      from: "fe80::250:79ff:fe66:6800",
      to: target,
      targetMac: mac,
    });
  });

  test("without an answer reports the host as typed, and pauses as long as it waits", () => {
    const bench = makePair();
    bench.type("A", "ping 2001:db8::2 -c 1");
    bench.type("B", "clear ipv6");
    const before = bench.nowUs;
    expect(outputOf(bench, "A", "ping 2001:DB8:0::2 -c 2 -w 300 -i 1")).toEqual([
      "",
      "2001:DB8:0::2 icmp6_seq=1 timeout",
      "2001:DB8:0::2 icmp6_seq=2 timeout",
    ]);
    expect(bench.nowUs - before).toBe(900_000);
  });

  test("over UDP goes to port 7 from one port, marked with the PC's MAC, and gets its data back", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "ping 2001:db8::2 -c 2 -2")).toEqual([
      "",
      "2001:db8::2 udp6_seq=1 ttl=64 time=T ms",
      "2001:db8::2 udp6_seq=2 ttl=64 time=T ms",
    ]);
    const probes = bench.frames.filter(({ from, frame }) => from === "A" && frame[20] === 17);
    expect(probes.map(({ frame }) => frame.length)).toEqual([118, 118]);
    const [one, two] = probes.map(({ frame }) => hexOf(frame.subarray(54)));
    expect(two).toBe(one);
    expect(one!.slice(4, 12)).toBe("00070040");
    expect(one!.slice(16, 48)).toBe("0050796668000e0f1011121314151617");
  });

  test("over TCP opens, uses and closes a connection", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "ping 2001:db8::2 -c 1 -3")).toEqual([
      "",
      "Connect   7@2001:db8::2 seq=1 ttl=64 time=T ms",
      "SendData  7@2001:db8::2 seq=1 ttl=64 time=T ms",
      "Close     7@2001:db8::2 seq=1 ttl=64 time=T ms",
    ]);
    const segments = bench.frames.flatMap(({ from, frame }) => {
      const tcp = frame[20] === 6 ? decodeTcp(frame.subarray(54)) : null;
      return tcp ? [{ from, bytes: frame.length, ...tcp }] : [];
    });
    expect(segments.map(({ from, flags, bytes }) => `${from} ${flags.toString(16)} ${bytes}`)).toEqual([
      "A 2 94",
      "B 12 74",
      "A 10 86",
      "A 18 142",
      "B 10 74",
      "A 19 86",
      "B 10 74",
      "B 11 74",
      "A 10 86",
    ]);
    const [syn, synAck] = segments;
    const last = segments.at(-1)!;
    expect(hexOf(syn!.options)).toBe(`020405b40101080a6955b90000000000` + "01030301");
    expect(last.sequence).toBe((syn!.sequence + 58) >>> 0);
    expect(last.acknowledgement).toBe((synAck!.sequence + 2) >>> 0);
  });

  test("over TCP pauses for six tenths of the connect time between its phases", () => {
    const bench = makePair();
    bench.type("A", "ping 2001:db8::2 -c 1 -3");
    const [syn, synAck, ack, data] = bench.frames.filter(({ frame }) => frame[20] === 6);
    expect(see6(synAck!.frame)?.from).toBe("2001:db8::2");
    const connectUs = ack!.atUs - syn!.atUs;
    expect(data!.atUs - ack!.atUs).toBe(Math.floor(connectUs * 0.6));
    expect(connectUs).toBeGreaterThan(0);
  });

  test("with bare segments accepts any segment as an answer", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "ping 2001:db8::2 -c 1 -3 -f s")).toEqual([
      "",
      "2001:db8::2 tcp6_seq=1 ttl=64 time=T ms",
    ]);
    expect(outputOf(bench, "A", "ping 2001:db8::2 -c 1 -w 50 -3 -f FPU")).toEqual([
      "",
      "2001:db8::2 tcp6_seq=1 timeout",
    ]);
    expect(hexOf(bench.frames.at(-1)!.frame).slice(132, 140)).toBe("80290b68");
  });

  test("goes in one packet if it fits the link's MTU, else in fragments, and so do the answers", () => {
    const bench = makePair();
    const fragments = (line: string): number[] => {
      bench.frames.length = 0;
      expect(outputOf(bench, "A", line).join()).not.toContain("timeout");
      return bench.frames.filter(({ frame }) => frame[20] === 44).map(({ frame }) => frame.length);
    };
    expect(fragments("ping 2001:db8::2 -l 1452 -c 1")).toEqual([]);
    expect(Math.max(...bench.frames.map(({ frame }) => frame.length))).toBe(1514);
    expect(fragments("ping 2001:db8::2 -l 1453 -c 1")).toEqual([1510, 75, 1510, 75]);
    expect(fragments("ping 2001:db8::2 -l 65507 -c 1")).toHaveLength(92);
    expect(fragments("ping 2001:db8::2 -2 -l 2000 -u 1280 -c 1")).toHaveLength(4);
    expect(fragments("ping 2001:db8::2 -3 -l 1428 -c 1")).toEqual([]);
    expect(fragments("ping 2001:db8::2 -3 -l 1429 -c 1")).toEqual([1510, 75]);
  });

  test.each([0, -2])("with a count of %i prints nothing and sends no packet", (count) => {
    const bench = makePair();
    expect(outputOf(bench, "A", `ping 2001:db8::2 -c ${count}`)).toEqual([""]);
    expect(story(bench)).toEqual(["A NS 86", "B NA 86"]);
  });

  test("both ways at once works", () => {
    const bench = makePair();
    bench.begin("A", "ping 2001:db8::2 -c 2");
    bench.begin("B", "ping 2001:db8::1 -c 2");
    bench.run();
    expect(bench.transcript("A")).toMatch(/icmp6_seq=1 ttl.*\n.*icmp6_seq=2 ttl/);
    expect(bench.transcript("B")).toMatch(/icmp6_seq=1 ttl.*\n.*icmp6_seq=2 ttl/);
  });
});

describe("trace", () => {
  test("of a neighbour is one hop with three times", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "trace 2001:db8::2")).toEqual([
      "",
      "trace to 2001:db8::2, 64 hops max",
      " 1 2001:db8::2   T ms  T ms  T ms",
    ]);
    const probes = bench.frames.filter(({ from, frame }) => from === "A" && frame[20] === 17);
    expect(probes.map(({ frame }) => [frame.length, frame[21]])).toEqual(new Array(3).fill([126, 1]));
    const ports = Buffer.from(probes[0]!.frame.subarray(54, 58));
    expect(ports.readUInt16BE(2)).toBe(ports.readUInt16BE(0) + 1);
    expect(new Set(probes.map(({ frame }) => hexOf(frame))).size).toBe(1);
    expect(hexOf(probes[0]!.frame.subarray(0, 6))).toBe("005079666801");
  });

  test("of the PC's own address is one line, of an absent host a failure without a header", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "trace 2001:db8::1")).toEqual([
      "",
      "traceroute to 2001:db8::1, 64 hops max",
      " 1 2001:db8::1     T ms",
    ]);
    expect(outputOf(bench, "A", "trace 2001:db8::99 -m 3")).toEqual([
      "",
      "host (2001:db8::99) not reachable",
    ]);
  });
});

describe("neighbor", () => {
  test("lists the solicited neighbours; after clear neighbor the PC solicits again", () => {
    const bench = makePair();
    expect(outputOf(bench, "A", "neighbor")).toEqual([""]);
    outputOf(bench, "A", "ping 2001:db8::2 -c 1");
    expect(outputOf(bench, "A", "neighbor")).toEqual(["", "00:50:79:66:68:01   2001:db8::2/128"]);
    bench.frames.length = 0;
    outputOf(bench, "A", "ping 2001:db8::2 -c 1");
    expect(story(bench)).toEqual(["A echo 118", "B reply 118"]);
    expect(outputOf(bench, "A", "clear neighbor")).toEqual([]);
    expect(outputOf(bench, "A", "neighbor")).toEqual([""]);
    bench.frames.length = 0;
    outputOf(bench, "A", "ping 2001:db8::2 -c 1");
    expect(story(bench)[0]).toBe("A NS 86");
  });
});
