/** A PC and a scripted router. */

import { readU16 } from "@wirelab/engine/base/bytes";
import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { describe, expect, test } from "vitest";
import type { Host } from "../../../../../../packages/engine/devices/pc/host.ts";
import {
  autoCommand,
  clearIpv6,
  ip6Command,
  ping6,
  showIpv6,
  trace6,
} from "../../../../../../packages/engine/devices/pc/ipv6/commands.ts";
import { sendRouterSolicitations } from "../../../../../../packages/engine/devices/pc/ipv6/solicit.ts";
import type { PingOptions } from "../../../../../../packages/engine/devices/pc/ping-options.ts";
import { decodeTcp, encodeTcp } from "../../../../../../packages/engine/wire/tcp.ts";
import {
  frame6,
  ip6,
  mtuOption,
  type Parts,
  prefixOption,
  ROUTER_MAC,
  routerFrame,
  routerMessage,
  type Seen,
  see6,
} from "../../../../../helpers/engine/ipv6-frames.ts";
import { hexOf, PcBench } from "../../../../../helpers/engine/script-pc.ts";

const PREFIX = "2001:db8:aa::";
const AUTO = "2001:db8:aa:0:250:79ff:fe66:6800";
const HOP = "2001:db8:aa::fe";
const FAR = "2001:db8:9::9";
const LINK_OPTION = Uint8Array.of(1, 1, 2, 0, 0, 0, 0, 0xbb);

type Say = (seen: Seen) => Uint8Array | undefined;

function benchWith(say: Say = () => undefined): PcBench {
  return new PcBench((frame, send) => {
    const seen = see6(frame);
    const answer = seen && say(seen);
    if (answer) send(answer);
  });
}

/** Answers solicitations with a prefix, and passes other packets to `say`. */
const router =
  (say: Say = () => undefined): Say =>
  (seen) =>
    seen.payload[0] === 133 && seen.header.nextHeader === 58
      ? routerFrame(routerMessage([prefixOption(PREFIX)]))
      : say(seen);

const act = (bench: PcBench, call: (host: Host) => void): string =>
  // biome-ignore lint/correctness/useYield: a command that takes no time
  bench.command(function* (host) {
    call(host);
  });

describe("ip ADDRESS", () => {
  test("sets a global address at once and asks for routers from it", () => {
    const bench = benchWith();
    expect(bench.command((host) => ip6Command(host, ["2001:db8::1", "64"]))).toBe("PC1 : 2001:db8::1/64 \n");
    expect(bench.nowUs).toBeLessThan(10);
    expect(bench.pc.state.ipv6.global).toEqual({ address: "2001:db8::1", prefixLength: 64, eui64: false });
    const [solicitation] = bench.sent.map(({ frame }) => frame);
    expect(hexOf(solicitation!)).toBe(
      "33330000000200507966680086dd6000000000083aff20010db8000000000000000000000001ff02000000000000000000000000000285004dfe00000000",
    );
  });

  test.each([
    [["2001:db8::1"], 64],
    [["2001:db8::1", "0"], 64],
    [["2001:db8::1", "x"], 64],
    [["2001:db8::1", "2001:db8::fe"], 64],
    [["2001:db8::1", "48"], 48],
    [["2001:db8::1", "128"], 128],
    [["2001:db8::1", "200"], 200],
    [["2001:db8::1", "99999999999999"], 64],
  ])("%j has a prefix of %i bits", (words, bits) => {
    const bench = benchWith();
    expect(bench.command((host) => ip6Command(host, words))).toBe(`PC1 : 2001:db8::1/${bits} \n`);
    bench.command((host) => ping6(host, ip6("2001:db8::2"), "b", { ...OPTIONS, count: 1 }, {}));
  });

  test("with eui-64 fills in the MAC's identifier, with its universal/local bit flipped", () => {
    const bench = benchWith();
    expect(bench.command((host) => ip6Command(host, ["2001:db8::9", "64", "eui-64"]))).toBe(
      "PC1 : 2001:db8::250:79ff:fe66:6800/64 eui-64\n",
    );
    expect(bench.pc.state.ipv6.global?.eui64).toBe(true);
    expect(bench.command((host) => ip6Command(host, ["2001:db8::", "eui-64"]))).toContain("6800/64 eui-64");
  });

  test.each(["xyz::", "2001:db8::1::", "::", "::1", "ff02::1", "fe80::5", ""])("%j is refused", (text) => {
    const bench = benchWith();
    expect(bench.command((host) => ip6Command(host, [text, "64"]))).toBe("Invalid ipv6 address.\n");
    expect(bench.pc.state.ipv6.global).toBeUndefined();
    expect(bench.sent).toEqual([]);
  });
});

describe("ip auto", () => {
  test("learns prefix and router from the advertisement", () => {
    const bench = benchWith(router());
    expect(bench.command(autoCommand)).toBe(
      `GLOBAL SCOPE      : ${AUTO}/64\nROUTER LINK-LAYER : 02:00:00:00:00:aa\n`,
    );
    expect(bench.pc.state.ipv6).toMatchObject({
      auto: true,
      routerMac: ROUTER_MAC,
      global: { address: AUTO },
    });
    expect(bench.sent).toHaveLength(1);
    expect(see6(bench.sent[0]!.frame)).toMatchObject({
      from: "::",
      to: "ff02::2",
      bytes: 62,
      isIntact: true,
    });
  });

  test("ends after a second without a router", () => {
    const bench = benchWith();
    expect(bench.command(autoCommand)).toBe("No router answered ICMPv6 Router Solicitation\n");
    expect(bench.nowUs).toBe(1_000_000);
  });
});

describe("A router advertisement", () => {
  const taken = (message: Uint8Array, parts: Partial<Parts> = {}, address?: string) => {
    const bench = benchWith();
    if (address) bench.pc.state.ipv6.global = { address, prefixLength: 64, eui64: false };
    bench.toPc(routerFrame(message, parts));
    bench.run();
    return bench.pc.state.ipv6;
  };
  const usual = (hopLimit = 64) => routerMessage([prefixOption(PREFIX)], { hopLimit });

  test.each([0, 64, 255])("is accepted with any current hop limit: %i", (hopLimit) => {
    expect(taken(usual(hopLimit))).toMatchObject({ routerMac: ROUTER_MAC, global: { address: AUTO } });
  });

  test("carries the router's MAC in an option, and the MTU", () => {
    expect(taken(routerMessage([LINK_OPTION, mtuOption(1400)]))).toMatchObject({
      routerMac: 0x0200_0000_00bb,
      mtuBytes: 1400,
    });
  });

  test.each([576, 1279, 1501, 9000])("does not set an MTU of %i", (mtuBytes) => {
    expect(taken(routerMessage([mtuOption(mtuBytes)])).mtuBytes).toBe(1500);
  });

  test("changes nothing but the router for a PC that has an address", () => {
    const message = routerMessage([prefixOption(PREFIX), mtuOption(1400)]);
    expect(taken(message, {}, "2001:db8::1")).toMatchObject({
      routerMac: ROUTER_MAC,
      mtuBytes: 1500,
      global: { address: "2001:db8::1" },
    });
  });

  test("without a lifetime sets a prefix but no router", () => {
    const message = routerMessage([prefixOption(PREFIX)], { lifetimeSeconds: 0 });
    expect(taken(message)).toMatchObject({ global: { address: AUTO } });
    expect(taken(message).routerMac).toBeUndefined();
  });

  test("without a lifetime removes the router that sent it", () => {
    const bench = benchWith();
    bench.toPc(routerFrame(usual()));
    bench.toPc(routerFrame(routerMessage([], { lifetimeSeconds: 0 })));
    bench.run();
    expect(bench.pc.state.ipv6.routerMac).toBeUndefined();
  });

  test.each([
    ["not for addresses", prefixOption(PREFIX, { flags: 0x80 })],
    ["of another length", prefixOption(PREFIX, { length: 60 })],
    ["that is over", prefixOption(PREFIX, { validSeconds: 0 })],
    ["of the link", prefixOption("fe80::")],
    ["of groups", prefixOption("ff02::")],
    ["cut off", Uint8Array.of(3, 1, 64, 0xc0, 0, 0, 0, 0)],
  ])("skips a prefix %s and uses the next one", (_what, option) => {
    expect(taken(routerMessage([option])).global).toBeUndefined();
    expect(taken(routerMessage([option, prefixOption(PREFIX)])).global?.address).toBe(AUTO);
  });

  test.each<[string, Uint8Array, Partial<Parts>]>([
    ["through another router", usual(), { hopLimit: 254 }],
    ["from a global address", usual(), { source: "2001:db8::fe" }],
    ["with a code", Uint8Array.from(usual(), (byte, i) => (i === 1 ? 1 : byte)), {}],
    ["cut off", usual().subarray(0, 15), {}],
  ])("is ignored %s", (_what, message, parts) => {
    expect(taken(message, parts)).toMatchObject({ mtuBytes: 1500, neighbours: [] });
    expect(taken(message, parts).routerMac).toBeUndefined();
    expect(taken(message, parts).global).toBeUndefined();
  });
});

test("at its start a PC solicits routers twice, 0.26 s apart, and uses their advertisements", () => {
  const bench = benchWith(router());
  sendRouterSolicitations(bench.pc);
  bench.run();
  expect(bench.sent.map(({ atUs }) => atUs)).toEqual([0, 260_000]);
  expect(bench.sent.map(({ frame }) => see6(frame)?.from)).toEqual(["::", AUTO]);
  expect(bench.pc.state.ipv6.global?.address).toBe(AUTO);
});

const OPTIONS: PingOptions = {
  count: 1,
  endless: false,
  intervalMs: 1000,
  waitMs: 1000,
  dataBytes: 56,
  ttl: 64,
  dontFragment: false,
  protocol: "icmp",
  sourcePort: 0,
  targetPort: 7,
  flags: undefined,
  mtuBytes: 0,
};

/** All hosts behind the router answer; a test sets where errors come. */
describe("Beyond the router", () => {
  const setUp = (say: Say) => {
    const bench = benchWith(router(say));
    bench.command(autoCommand);
    const before = bench.sent.length;
    return {
      bench,
      ping: (options: Partial<PingOptions> = {}) =>
        bench
          .command((host) => ping6(host, ip6(FAR), FAR, { ...OPTIONS, ...options }, {}))
          .replaceAll(/\d+\.\d{3}/g, "T"),
      seen: () => bench.sent.slice(before).map(({ frame }) => see6(frame)!),
    };
  };
  const error = (type: number, code: number, rest = 0): Uint8Array =>
    frame6(
      { source: HOP, target: AUTO, hopLimit: 255, sourceMac: ROUTER_MAC },
      encodeIcmpv6(type, code, rest, new Uint8Array(48)),
    );
  const reply = ({ payload }: Seen, hopLimit = 61, source = FAR): Uint8Array =>
    frame6(
      { source, target: AUTO, hopLimit, sourceMac: ROUTER_MAC },
      Uint8Array.from(payload, (byte, i) => (i === 0 ? 129 : byte)),
    );

  test("pings go to the router's MAC and show the remaining hops", () => {
    const { ping, seen } = setUp((each) => reply(each));
    expect(ping()).toBe(`\n${FAR} icmp6_seq=1 ttl=61 time=T ms\n`);
    expect(seen()).toMatchObject([{ from: AUTO, to: FAR, targetMac: ROUTER_MAC }]);
  });

  test("the prefix of the target may come with the router's answer: the target is a neighbour then", () => {
    const bench = benchWith(router());
    const neighbour = `${PREFIX}9`;
    bench.command((host) => ping6(host, ip6(neighbour), neighbour, OPTIONS, {}));
    expect(bench.sent.map(({ frame }) => frame[54])).toEqual([133, 135]);
    expect(bench.transcript("PC1")).toContain(`host (${neighbour}) not reachable`);
  });

  test.each([
    [1, 0, "No route to destination"],
    [1, 1, "Communication with destination administratively prohibited"],
    [1, 2, "Beyond scope of source address"],
    [1, 3, "Address unreachable"],
    [1, 4, "Port unreachable"],
    [1, 5, "Source address failed ingress/egress policy"],
    [1, 6, "Reject route to destination"],
    [1, 7, ""],
    [3, 0, "Hop limit exceeded in transit"],
    [3, 1, "Fragment reassembly time exceeded"],
  ])("error %i/%i ends the wait and is printed by name", (type, code, text) => {
    const { ping } = setUp(() => error(type, code));
    expect(ping()).toBe(
      `\n*${HOP} icmp6_seq=1 ttl=255 time=T ms (ICMP type:${type}, code:${code}, ${text})\n`,
    );
    expect(ping({ protocol: "udp" })).toContain(`*${HOP} udp6_seq=1 ttl=255`);
  });

  /** A router that returns "packet too big" with the quoted packet. */
  const tooBig = (mtuBytes: number, { header, payload }: Seen): Uint8Array =>
    frame6(
      { source: HOP, target: AUTO, hopLimit: 255, sourceMac: ROUTER_MAC },
      encodeIcmpv6(2, 0, mtuBytes, encodeIpv6(header, payload).subarray(0, 1232)),
    );
  const place = ({ header, payload }: Seen): string =>
    header.nextHeader === 44 ? `${readU16(payload, 2)}` : "whole";

  test("a packet that is too big is sent again in fragments, and later packets are fragmented, too", () => {
    const { ping, seen } = setUp((each) => (each.bytes > 14 + 1400 ? tooBig(1400, each) : undefined));
    expect(ping({ count: 2, dataBytes: 1452 })).toBe(
      [
        "",
        `*${HOP} icmp6_seq=1 ttl=255 time=T ms (new MTU 1400)`,
        `${FAR} icmp6_seq=1 timeout`,
        `${FAR} icmp6_seq=2 timeout`,
        "",
      ].join("\n"),
    );
    expect(seen().map((each) => [each.bytes - 14, place(each)])).toEqual([
      [1500, "whole"],
      [1400, "1"],
      [156, "1352"],
      [1400, "1"],
      [156, "1352"],
    ]);
  });

  test("the PC stops resending to a router whose MTU shrinks with every packet", () => {
    const isFirst = (each: Seen): boolean => ["whole", "1"].includes(place(each));
    let mtuBytes = 1500;
    const { ping, seen } = setUp((each) => {
      if (!isFirst(each)) return undefined;
      mtuBytes -= 20;
      return tooBig(mtuBytes, each);
    });
    expect(ping({ dataBytes: 1452 }).split("\n")).toHaveLength(1 + 4 + 1);
    expect(seen().filter(isFirst)).toHaveLength(4);
  });

  test.each([0, 1279, 1500])("a packet is not sent again for an MTU of %i", (mtuBytes) => {
    const { ping, seen } = setUp((each) => tooBig(mtuBytes, each));
    expect(ping({ dataBytes: 1452 })).toContain(`(new MTU ${mtuBytes})`);
    expect(seen()).toHaveLength(1);
  });

  test.each<[string, Say]>([
    [
      "a reply to another packet",
      (each) => reply({ ...each, payload: Uint8Array.from(each.payload, (byte, i) => (i === 7 ? 9 : byte)) }),
    ],
    ["a reply from another host", (each) => reply(each, 64, "2001:db8:9::8")],
    [
      "an error for another host",
      () => frame6({ source: HOP, target: "2001:db8::77" }, encodeIcmpv6(1, 0, 0, new Uint8Array(48))),
    ],
    [
      "an error without its header",
      () => frame6({ source: HOP, target: AUTO }, Uint8Array.of(1, 0, 0, 0, 0, 0, 0)),
    ],
  ])("%s does not count as an answer", (_what, say) => {
    expect(setUp(say).ping()).toBe(`\n${FAR} icmp6_seq=1 timeout\n`);
  });

  describe("TCP", () => {
    const RST = 4;
    /** Answers as a listening host does, except segments with certain flags. */
    const server =
      (differently: Record<number, number | "silence">): Say =>
      (each) => {
        const tcp = decodeTcp(each.payload);
        if (each.header.nextHeader !== 6 || tcp === null) return undefined;
        const usualFlags: Record<number, number> = { 2: 0x12, 24: 0x10, 25: 0x11 };
        const flags = differently[tcp.flags] ?? usualFlags[tcp.flags];
        if (flags === undefined || flags === "silence") return undefined;
        const taken = tcp.data.length + (tcp.flags & 3 ? 1 : 0);
        const answer = {
          sourcePort: tcp.targetPort,
          targetPort: tcp.sourcePort,
          sequence: 1000,
          acknowledgement: (tcp.sequence + taken) >>> 0,
          flags,
          window: 100,
          options: new Uint8Array(),
          data: new Uint8Array(),
        };
        return frame6(
          { source: FAR, target: AUTO, nextHeader: 6, hopLimit: 60, sourceMac: ROUTER_MAC },
          encodeTcp(answer, 0),
        );
      };
    const tcp: Partial<PingOptions> = { protocol: "tcp", targetPort: 80, waitMs: 300 };
    const good = (phase: string) => `${phase} 80@${FAR} seq=1 ttl=60 time=T ms\n`;

    test("a port that is closed resets the connection", () => {
      expect(setUp(server({ 2: RST | 16 })).ping(tcp)).toBe(`\nConnect   80@${FAR} RST returned\n`);
    });

    test("the PC sends three connection requests, each with its own sequence number", () => {
      const { ping, seen, bench } = setUp(() => undefined);
      const before = bench.nowUs;
      expect(ping(tcp)).toBe(`\nConnect   80@${FAR} timeout\n`);
      expect(bench.nowUs - before).toBe(900_000);
      expect(new Set(seen().map(({ payload }) => decodeTcp(payload)!.sequence)).size).toBe(3);
    });

    test("data that is not acknowledged is sent three times", () => {
      const { ping, seen } = setUp(server({ 24: "silence" }));
      expect(ping(tcp)).toBe(`\n${good("Connect  ")}SendData  80@${FAR} timeout\n`);
      expect(seen().filter(({ payload }) => payload[13] === 0x18)).toHaveLength(3);
    });

    test("a connection that does not close reports the time it waited", () => {
      expect(setUp(server({ 25: 0x10 })).ping(tcp)).toBe(
        `\n${good("Connect  ")}${good("SendData ")}Close     80@${FAR} timeout(Tms)\n`,
      );
    });

    test("an error is printed in place of the answer", () => {
      expect(setUp(() => error(1, 0)).ping({ ...tcp, count: 2 })).toBe(
        [1, 2].reduce(
          (text, sequence) =>
            `${text}*${HOP} tcp6_seq=${sequence} ttl=255 time=T ms (ICMP type:1, code:0, No route to destination)\n`,
          "\n",
        ),
      );
    });
  });

  describe("trace", () => {
    const trace = (say: Say, maxHops = 5) => {
      const { bench, seen } = setUp(say);
      const text = bench
        .command((host) => trace6(host, ip6(FAR), maxHops, {}))
        .replaceAll(/\d+\.\d{3}/g, "T");
      return { lines: text.split("\n").slice(2, -1), seen, bench };
    };
    const from = (source: string, type: number, code: number): Uint8Array =>
      frame6(
        { source, target: AUTO, sourceMac: ROUTER_MAC },
        encodeIcmpv6(type, code, 0, new Uint8Array(48)),
      );

    test("shows routers, silent hops, and the target that refuses the port", () => {
      const { lines, seen } = trace(({ header: { hopLimit } }) => {
        if (hopLimit === 1) return from(HOP, 3, 0);
        return hopLimit === 2 ? undefined : from(FAR, 1, 4);
      });
      expect(lines).toEqual([` 1 ${HOP}   T ms  T ms  T ms`, " 2   *  *  *", ` 3 ${FAR}   T ms  T ms  T ms`]);
      expect(seen().map(({ header }) => header.hopLimit)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    });

    test("ends where a router has no route, and prints the reason once", () => {
      const { lines, seen } = trace(() => from(HOP, 1, 0));
      expect(lines).toEqual([` 1 *${HOP}   T ms (ICMP type:1, code:0, No route to destination)`]);
      expect(seen()).toHaveLength(3);
    });

    test("ends at its hop limit, after three seconds for each silent hop", () => {
      const { lines, bench } = trace(() => undefined, 12);
      expect(lines.at(-1)).toBe("12   *  *  *");
      expect(lines).toHaveLength(12);
      expect(Math.round(bench.nowUs / 1e6)).toBe(36);
    });

    test("a lost probe is printed as a star among the times", () => {
      let probes = 0;
      const { lines } = trace(() => (++probes % 3 === 1 ? undefined : from(FAR, 1, 4)));
      expect(lines).toEqual([` 1 ${FAR}   *  T ms  T ms`]);
    });
  });
});

describe("show ipv6", () => {
  test("lists the PC's settings, and clear ipv6 removes address and router", () => {
    const bench = benchWith(router());
    const rows = (global: string, dns: string, mac: string) => [
      "",
      "NAME              : PC1[1]",
      "LINK-LOCAL SCOPE  : fe80::250:79ff:fe66:6800/64",
      `GLOBAL SCOPE      : ${global}`,
      `DNS               : ${dns}`,
      `ROUTER LINK-LAYER : ${mac}`,
      "MAC               : 00:50:79:66:68:00",
      "LPORT             : 20000",
      "RHOST:PORT        : 127.0.0.1:30000",
      "MTU:              : 1500",
      "",
    ];
    expect(act(bench, showIpv6).split("\n")).toEqual(rows("", "", ""));
    bench.command(autoCommand);
    bench.pc.state.ipv6.dns = ["2001:db8::53", "2001:db8::54"];
    expect(act(bench, showIpv6).split("\n")).toEqual(
      rows(`${AUTO}/64`, "2001:db8::53 2001:db8::54", "02:00:00:00:00:aa"),
    );
    expect(act(bench, clearIpv6)).toBe("IPv6 address/mask and router link-layer address cleared\n");
    expect(bench.pc.state.ipv6).toMatchObject({ auto: false });
    expect(act(bench, showIpv6).split("\n")).toEqual(rows("", "2001:db8::53 2001:db8::54", ""));
  });
});
