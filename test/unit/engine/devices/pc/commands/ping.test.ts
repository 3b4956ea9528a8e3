import { readU16, readU32 } from "@wirelab/engine/base/bytes";
import { encodeIcmp, ICMP_ECHO } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, PROTOCOL_ICMP, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { decodeUdp } from "@wirelab/engine/wire/udp";
import { describe, expect, test } from "vitest";
import { checksum } from "../../../../../../packages/engine/base/checksum.ts";
import { BENCH_START_US, type DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { icmpError, ipv4, onePc, output, pcAndHost, twoPcs } from "./pc-bench.ts";

const clockSeconds = (bench: DeviceBench): number => Math.floor((BENCH_START_US + bench.nowUs) / 1_000_000);

/** The IPv4 frames that A sends during a command. */
function sentBy(bench: DeviceBench, line: string): { atUs: number; frame: Uint8Array }[] {
  const startUs = bench.nowUs;
  const before = bench.frames.length;
  bench.type("A", line);
  return bench.frames
    .slice(before)
    .filter(({ from, frame }) => from === "A" && decodeIpv4(frame, 14) !== null)
    .map(({ atUs, frame }) => ({ atUs: atUs - startUs, frame }));
}

describe("ping between two PCs", () => {
  test("prints a line per reply, with the size of the whole datagram", () => {
    expect(output(twoPcs(), "A", "ping 10.0.0.2 -c 2")).toBe(
      `
84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms
84 bytes from 10.0.0.2 icmp_seq=2 ttl=64 time=T ms
`,
    );
  });

  test("sends five packets, a round trip and a second apart", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const atUs = sentBy(bench, "ping 10.0.0.2").map((sent) => sent.atUs);
    expect(atUs).toHaveLength(5);
    const gaps = atUs.slice(1).map((us, index) => us - atUs[index]!);
    for (const gap of gaps) expect(gap).toBeGreaterThan(1_000_000);
    for (const gap of gaps) expect(gap).toBeLessThan(1_002_000);
  });

  test("pauses for the interval of -i, after the last packet too", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const startUs = bench.nowUs;
    bench.type("A", "ping 10.0.0.2 -c 2 -i 200");
    expect(bench.nowUs - startUs).toBeGreaterThan(400_000);
    expect(bench.nowUs - startUs).toBeLessThan(402_000);
  });

  test.each([
    ["ping 10.0.0.2 -c 1 -2", "84 bytes from 10.0.0.2 udp_seq=1 ttl=64 time=T ms"],
    ["ping 10.0.0.2 -c 1 -l 0", "28 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms"],
    ["ping 10.0.0.2 -c 1 -l 1473", "1501 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms"],
    ["ping 10.0.0.2 -c 1 -l 65507", "65535 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms"],
    ["ping 10.2 -c 1", "84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=T ms"],
    ["ping 10.0.0.2 -3 -f S -c 1", "40 bytes from 10.0.0.2 tcp_seq=1 ttl=64 time=T ms"],
    ["ping 10.0.0.2 -3 -f FPU -c 1", "10.0.0.2 tcp_seq=1 timeout"],
    ["ping 10.0.0.1 -c 2", "10.0.0.1 icmp_seq=1 ttl=64 time=T ms\n10.0.0.1 icmp_seq=2 ttl=64 time=T ms"],
    ["ping 10.0.0.9", "host (10.0.0.9) not reachable"],
    ["ping 10.0.0.255", "host (10.0.0.255) not reachable"],
    ["ping 8.8.8.8", "host (10.0.0.254) not reachable"],
  ])("%s", (line, expected) => {
    expect(output(twoPcs(), "A", line)).toBe(`\n${expected}\n`);
  });

  test.each(["ping 10.0.0.2 -c 0", "ping 10.0.0.2 -c -2", "ping 10.0.0.2 -c x"])(
    "%s sends no packet",
    (line) => {
      expect(output(twoPcs(), "A", line)).toBe("\n");
    },
  );

  test.each([
    ["ping 10.0.0.2 -x", "Invalid options\n"],
    ["ping nobody", "Cannot resolve nobody\n"],
    ["ping 0.0.0.0", "Cannot resolve 0.0.0.0\n"],
    ["ping 255.255.255.255", "Cannot resolve 255.255.255.255\n"],
    ["ping 10.0.0.300", "Cannot resolve 10.0.0.300\n"],
    ["ping 2001:zz::1", "\nInvalid address: 2001:zz::1\n"],
  ])("%s: %j and nothing else", (line, expected) => {
    const bench = twoPcs();
    const before = bench.frames.length;
    expect(output(bench, "A", line)).toBe(expected);
    expect(bench.frames).toHaveLength(before);
  });

  test("without a gateway other subnets are unreachable", () => {
    const { bench } = onePc();
    bench.type("A", "ip 10.0.0.1/24");
    expect(output(bench, "A", "ping 8.8.8.8")).toBe("\nNo gateway found\n");
  });

  test("a PC without an address asks its neighbour, which cannot answer", () => {
    const bench = twoPcs();
    bench.type("A", "clear ip");
    expect(output(bench, "A", "ping 10.0.0.2 -c 1")).toBe("\n10.0.0.2 icmp_seq=1 timeout\n");
  });

  test("an IPv6 address is pinged over IPv6", () => {
    const bench = twoPcs();
    bench.type("A", "ip 2001:db8::1/64");
    bench.type("B", "ip 2001:db8::2/64");
    expect(output(bench, "A", "ping 2001:db8::2 -c 1")).toBe("\n2001:db8::2 icmp6_seq=1 ttl=64 time=T ms\n");
  });

  test("an endless ping of the PC's own address sends no frame, but takes virtual time", () => {
    const bench = twoPcs();
    const before = bench.frames.length;
    bench.begin("A", "ping 10.0.0.1 -t");
    bench.run(bench.nowUs + 10_500_000);
    expect(bench.transcript("A").match(/icmp_seq=\d+ ttl=64 time=0.001 ms/g)).toHaveLength(110);
    expect(bench.frames).toHaveLength(before);
  });
});

describe("the echo requests", () => {
  test("have VPCS's form", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const clock = clockSeconds(bench) & 0xffff;
    const [{ frame } = { frame: new Uint8Array() }] = sentBy(bench, "ping 10.0.0.2 -c 1");
    const idBytes = [clock >>> 8, clock & 0xff];
    expect([...frame.subarray(0, 24)]).toEqual([
      ...[0x00, 0x50, 0x79, 0x66, 0x68, 0x01, 0x00, 0x50, 0x79, 0x66, 0x68, 0x00, 0x08, 0x00],
      ...[0x45, 0x00, 0x00, 0x54, ...idBytes, 0x00, 0x00, 0x40, 0x01],
    ]);
    expect([...frame.subarray(34, 36), ...frame.subarray(38, 42)]).toEqual([
      8,
      0,
      ...idBytes.toReversed(),
      0,
      1,
    ]);
    expect(checksum(frame, 14, 34)).toBe(0);
    expect(checksum(frame, 34)).toBe(0);
    expect([...frame.subarray(42)]).toEqual(Array.from({ length: 56 }, (_, index) => index + 8));
  });

  test("increment IP id and sequence, and carry the time of sending, low byte first", () => {
    const bench = twoPcs();
    bench.type("A", "ping 10.0.0.2 -c 1");
    const clock = clockSeconds(bench) & 0xffff;
    const sent = sentBy(bench, "ping 10.0.0.2 -c 3");
    expect(sent.map(({ frame }) => readU16(frame, 18))).toEqual([clock, clock + 1, clock + 2]);
    expect(sent.map(({ frame }) => readU16(frame, 40))).toEqual([1, 2, 3]);
    expect(sent.map(({ frame }) => (frame[38]! | (frame[39]! << 8)) - clock)).toEqual([0, 1, 2]);
  });

  test("forbid fragments with -D, as long as they fit, and take their TTL from -T", () => {
    const bench = twoPcs();
    const [small] = sentBy(bench, "ping 10.0.0.2 -c 1 -D -T 300");
    expect(decodeIpv4(small!.frame, 14)).toMatchObject({ dontFragment: true, ttl: 44 });
    const large = sentBy(bench, "ping 10.0.0.2 -c 1 -D -l 1473").map(({ frame }) => decodeIpv4(frame, 14));
    expect(large).toMatchObject([
      { dontFragment: false, moreFragments: true, totalBytes: 1500, fragmentOffset: 0 },
      { dontFragment: false, moreFragments: false, totalBytes: 21, fragmentOffset: 1480 },
    ]);
    expect(large[0]!.id).toBe(large[1]!.id);
  });

  test("are fragmented at the MTU of -u", () => {
    const sent = sentBy(twoPcs(), "ping 10.0.0.2 -c 1 -l 1000 -u 576");
    expect(sent.map(({ frame }) => decodeIpv4(frame, 14)?.totalBytes)).toEqual([572, 476]);
  });
});

test("UDP pings carry the PC's MAC, from one port", () => {
  const sent = sentBy(twoPcs(), "ping 10.0.0.2 -c 2 -2 -i 10");
  const datagrams = sent.map(({ frame }) => decodeUdp(frame.subarray(34))!);
  expect(datagrams.map(({ targetPort }) => targetPort)).toEqual([7, 7]);
  expect(datagrams[0]!.sourcePort).toBe(datagrams[1]!.sourcePort);
  const mac = [0x00, 0x50, 0x79, 0x66, 0x68, 0x00];
  expect([...datagrams[0]!.data]).toEqual([...mac, ...Array.from({ length: 50 }, (_, index) => index + 14)]);
});

describe("answers of other hosts", () => {
  test.each([
    [3, 0, "Destination network unreachable"],
    [3, 1, "Destination host unreachable"],
    [3, 2, "Destination protocol unreachable"],
    [3, 3, "Destination port unreachable"],
    [3, 4, "Fragmentation required, and DF flag set"],
    [3, 5, "Source route failed"],
    [3, 6, "Destination network unknown"],
    [3, 7, "Destination host unknown"],
    [3, 8, "Source host isolated"],
    [3, 9, "Network administratively prohibited"],
    [3, 10, "Host administratively prohibited"],
    [3, 11, "Network unreachable for TOS"],
    [3, 12, "Host unreachable for TOS"],
    [3, 13, "Communication administratively prohibited"],
    [3, 14, ""],
    [11, 0, "TTL expired in transit"],
    [11, 1, "Fragment reassembly time exceeded"],
  ])("an ICMP error of type %i and code %i is reported as %j", (type, code, text) => {
    const { bench, host } = pcAndHost();
    host.answer = (_header, _payload, frame) => icmpError("10.0.0.254", type, code, frame);
    expect(output(bench, "A", "ping 8.8.8.8 -c 1")).toBe(
      `\n*10.0.0.254 icmp_seq=1 ttl=255 time=T ms (ICMP type:${type}, code:${code}, ${text})\n`,
    );
  });

  test.each([
    [4, 0],
    [5, 1],
    [12, 0],
    [13, 0],
  ])("an ICMP message of type %i and code %i is ignored", (type, code) => {
    const { bench, host } = pcAndHost();
    host.answer = (_header, _payload, frame) =>
      icmpError("10.0.0.254", type, code, frame, ipv4("10.0.0.253"));
    expect(output(bench, "A", "ping 8.8.8.8 -c 1")).toBe("\n8.8.8.8 icmp_seq=1 timeout\n");
  });

  test("a UDP ping names itself in the line of an error", () => {
    const { bench, host } = pcAndHost();
    host.answer = (_header, _payload, frame) => icmpError("8.8.8.8", 3, 3, frame);
    expect(output(bench, "A", "ping 8.8.8.8 -c 1 -2")).toBe(
      "\n*8.8.8.8 udp_seq=1 ttl=255 time=T ms (ICMP type:3, code:3, Destination port unreachable)\n",
    );
  });

  test("a redirect for the network switches to the new gateway, from the first packet on", () => {
    const { bench, host } = pcAndHost();
    let redirects = 0;
    host.answer = (header, payload, frame) => {
      if (redirects++ === 0) return icmpError("10.0.0.254", 5, 0, frame, ipv4("10.0.0.253"));
      return { from: "8.8.8.8", protocol: header.protocol, payload: echoReply(payload), ttl: 60 };
    };
    expect(output(bench, "A", "ping 8.8.8.8 -c 2")).toBe(
      `
Redirect Network, gateway 10.0.0.254 -> 10.0.0.253
84 bytes from 8.8.8.8 icmp_seq=1 ttl=60 time=T ms
84 bytes from 8.8.8.8 icmp_seq=2 ttl=60 time=T ms
`,
    );
  });

  test("the PC follows at most eight redirects between two gateways", () => {
    const { bench, host } = pcAndHost();
    let last = 253;
    host.answer = (_header, _payload, frame) => {
      last = last === 253 ? 252 : 253;
      return icmpError("10.0.0.254", 5, 0, frame, ipv4(`10.0.0.${last}`));
    };
    const text = output(bench, "A", "ping 8.8.8.8 -c 1");
    expect(text.match(/Redirect/g)).toHaveLength(8);
    expect(text).toMatch(/\n8.8.8.8 icmp_seq=1 timeout\n$/);
  });

  test.each([
    ["with another sequence number", 0, 5],
    ["from another address", 1, 1],
  ])("a reply %s is ignored", (_what, lastByte, sequence) => {
    const { bench, host } = pcAndHost();
    host.answer = ({ protocol }) => ({
      from: `8.8.8.${8 + lastByte}`,
      protocol,
      payload: encodeIcmp(0, 0, sequence, new Uint8Array(56)),
    });
    expect(output(bench, "A", "ping 8.8.8.8 -c 1")).toBe("\n8.8.8.8 icmp_seq=1 timeout\n");
  });

  test("a shorter reply with another id is accepted and shown with its own size", () => {
    const { bench, host } = pcAndHost();
    host.answer = ({ protocol }) => ({
      from: "8.8.8.8",
      protocol,
      payload: encodeIcmp(0, 0, 0x1234_0001, new Uint8Array(2)),
    });
    expect(output(bench, "A", "ping 8.8.8.8 -c 1")).toBe(
      "\n30 bytes from 8.8.8.8 icmp_seq=1 ttl=255 time=T ms\n",
    );
  });

  test("a packet without an answer takes its timeout and the pause", () => {
    const { bench } = pcAndHost();
    bench.type("A", "ping 10.0.0.7 -c 1");
    const startUs = bench.nowUs;
    expect(output(bench, "A", "ping 10.0.0.7 -c 2 -w 300")).toBe(
      "\n10.0.0.7 icmp_seq=1 timeout\n10.0.0.7 icmp_seq=2 timeout\n",
    );
    expect(bench.nowUs - startUs).toBe(2_600_000);
  });
});

const echoReply = (payload: Uint8Array): Uint8Array =>
  encodeIcmp(0, 0, readU32(payload, 4), payload.subarray(8));

describe("names", () => {
  const DNS_HEADER_BYTES = 12;

  /** Answers DNS queries with one A record, owned by the queried name or, if given, by its alias. */
  function nameServer(alias?: string): ReturnType<typeof pcAndHost> {
    const { bench, host } = pcAndHost();
    host.answer = (header, payload) => {
      if (header.protocol === PROTOCOL_ICMP && payload[0] === ICMP_ECHO)
        return { from: "10.0.0.80", protocol: PROTOCOL_ICMP, payload: echoReply(payload), ttl: 64 };
      return header.protocol === PROTOCOL_UDP ? dnsReply(payload, alias) : undefined;
    };
    bench.type("A", "ip dns 10.0.0.53");
    return { bench, host };
  }

  function dnsReply(payload: Uint8Array, alias: string | undefined) {
    const query = decodeUdp(payload)!;
    const question = query.data.subarray(DNS_HEADER_BYTES);
    const name = alias === undefined ? [0xc0, DNS_HEADER_BYTES] : encodedName(alias);
    const record = (owner: number[], type: number, data: number[]): number[] => [
      ...[...owner, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length],
      ...data,
    ];
    const aliasRecord = alias === undefined ? [] : record([0xc0, DNS_HEADER_BYTES], 5, name);
    const address = record(name, 1, [10, 0, 0, 80]);
    const counts = [0, 1, 0, alias === undefined ? 1 : 2, 0, 0, 0, 0];
    const data = [
      ...query.data.subarray(0, 2),
      0x81,
      0x80,
      ...counts,
      ...question,
      ...aliasRecord,
      ...address,
    ];
    const udp = new Uint8Array([
      0,
      53,
      query.sourcePort >> 8,
      query.sourcePort & 255,
      0,
      8 + data.length,
      0,
      0,
      ...data,
    ]);
    return { from: "10.0.0.53", protocol: PROTOCOL_UDP, payload: udp };
  }

  const encodedName = (name: string): number[] => [
    ...name.split(".").flatMap((label) => [label.length, ...new TextEncoder().encode(label)]),
    0,
  ];

  test("are printed with their addresses", () => {
    expect(output(nameServer().bench, "A", "ping www.lab.test -c 1")).toBe(
      "www.lab.test resolved to 10.0.0.80\n\n84 bytes from 10.0.0.80 icmp_seq=1 ttl=64 time=T ms\n",
    );
  });

  test("that are aliases are printed with the canonical name", () => {
    expect(output(nameServer("www.lab.test").bench, "A", "ping cn.lab.test -c 1")).toBe(
      "cn.lab.test resolved to www.lab.test(10.0.0.80)\n\n84 bytes from 10.0.0.80 icmp_seq=1 ttl=64 time=T ms\n",
    );
  });

  test("are printed by trace as the canonical name", () => {
    expect(output(nameServer("www.lab.test").bench, "A", "trace cn.lab.test -P 1")).toBe(
      `www.lab.test resolved to 10.0.0.80
trace to 10.0.0.80, 8 hops max (ICMP), press Ctrl+C to stop
 1   10.0.0.80   T ms  T ms  T ms
`,
    );
  });

  test("are printed as typed in the line of a lost packet", () => {
    const { bench, host } = nameServer();
    const { answer } = host;
    host.answer = (header, ...rest) =>
      header.protocol === PROTOCOL_ICMP ? undefined : answer(header, ...rest);
    expect(output(bench, "A", "ping www.lab.test -c 1")).toMatch(/\nwww.lab.test icmp_seq=1 timeout\n$/);
  });
});
