import { Router } from "@wirelab/engine/devices/router/index";
import { decodeIpv4, type Ipv4Header } from "@wirelab/engine/wire/ipv4";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { ip, makeBed, ROUTER_MAC, say, specOf } from "./probe.ts";

/** R1 - R2 - R3; R3 has a route back only. */
function makeRow(): DeviceBench {
  const bench = new DeviceBench();
  const specs = [
    {
      ports: [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" }, { ipv4: "10.0.7.1/24" }],
      routes: [
        { to: "0.0.0.0/0", via: "10.0.1.2" },
        { to: "::/0", via: "2001:db8:1::2" },
      ],
    },
    {
      ports: [
        { ipv4: "10.0.1.2/24", ipv6: "2001:db8:1::2/64" },
        { ipv4: "10.0.2.2/24", ipv6: "2001:db8:2::2/64" },
      ],
      routes: [
        { to: "0.0.0.0/0", via: "10.0.2.3" },
        { to: "::/0", via: "2001:db8:2::3" },
        { to: "10.0.7.0/24", via: "10.0.1.1" },
      ],
    },
    {
      ports: [{ ipv4: "10.0.2.3/24", ipv6: "2001:db8:2::3/64" }, { ipv4: "10.0.3.3/24" }],
      routes: [
        { to: "10.0.1.0/24", via: "10.0.2.2" },
        { to: "10.0.7.0/24", via: "10.0.2.2" },
        { to: "2001:db8:1::/64", via: "2001:db8:2::2" },
      ],
    },
  ];
  for (const [index, properties] of specs.entries()) {
    const name = `R${index + 1}`;
    const spec = { ...specOf(properties, name), mac: ROUTER_MAC + 0x100 * index };
    bench.add(name, (world) => new Router(spec, world));
  }
  bench.wire(["R1", 0], ["R2", 0]);
  bench.wire(["R2", 1], ["R3", 0]);
  return bench;
}

/** The output between the line and the prompt, without the times. */
function trace(bench: DeviceBench, args: string): string[] {
  const [, ...lines] = bench.type("R1", `traceroute ${args}`).split("\n");
  expect(lines.splice(-2)).toEqual(["", "R1> "]);
  return lines.map((line) => line.replaceAll(/\d+\.\d{3} ms/g, "T"));
}

const probes = (bench: DeviceBench, target: string): Ipv4Header[] =>
  bench.frames
    .filter(({ from }) => from === "R1")
    .map(({ frame }) => decodeIpv4(frame, 14))
    .filter((header): header is Ipv4Header => header?.target === ip(target));

describe("the router's traceroute", () => {
  it.each([
    ["10.0.2.3", "UDP", "10.0.1.2"],
    ["10.0.2.3 -P icmp", "ICMP", "10.0.1.2"],
    ["2001:db8:2::3", "UDP", "2001:db8:1::2"],
    ["2001:db8:2::3 -P icmp", "ICMP", "2001:db8:1::2"],
  ])("finds the path to %s by %s", (args, protocol, hop) => {
    const target = args.split(" ")[0];
    expect(trace(makeRow(), args)).toEqual([
      `traceroute to ${target} by ${protocol}, 30 hops at most`,
      ` 1  ${hop}  T  T  T`,
      ` 2  ${target}  T  T  T`,
    ]);
  });

  it("sends datagrams to consecutive ports, with an increasing time to live", () => {
    const bench = makeRow();
    trace(bench, "10.0.2.3 -q 2");
    const sent = probes(bench, "10.0.2.3");
    expect(sent.map(({ ttl, protocol }) => [ttl, protocol])).toEqual([
      [1, 17],
      [1, 17],
      [2, 17],
      [2, 17],
    ]);
  });

  it("measures each probe", () => {
    const text = makeRow().type("R1", "traceroute 10.0.2.3");
    const [near = 0, far = 0] = [...text.matchAll(/ {2}([\d.]+) ms$/gm)].map(([, ms]) => Number(ms));
    expect(near).toBeGreaterThan(0);
    expect(far).toBeGreaterThan(near);
  });

  it.each([
    ["10.8.1.1", [" 1  10.0.1.2  T  T  T", " 2  10.0.2.3  T !N  T !N  T !N"]],
    ["10.0.3.77 -q 1", [" 1  10.0.1.2  T", " 2  10.0.2.3  T", " 3  10.0.2.3  T !H"]],
    ["10.0.1.77 -q 1", [" 1  10.0.1.1  T !H"]],
    ["2a00::1 -P icmp -q 1", [" 1  2001:db8:1::2  T", " 2  2001:db8:2::3  T !N"]],
  ])("ends with the error on the path to %s", (args, lines) => {
    expect(trace(makeRow(), args).slice(1)).toEqual(lines);
  });

  it("prints a star for a probe without a reply, and continues to the last hop", () => {
    const bed = makeBed();
    expect(say(bed, "traceroute 10.0.2.10 -m 2 -q 2").slice(1)).toEqual([" 1  *  *", " 2  *  *"]);
    expect(bed.b.packets4.map(({ header }) => header.ttl)).toEqual([1, 1, 2, 2]);
  });

  it("ends at once at the router's own address, and without a route", () => {
    expect(trace(makeRow(), "10.0.1.1").slice(1)).toEqual([" 1  10.0.1.1  T  T  T"]);
    expect(say(makeBed(), "traceroute 192.0.2.1").slice(1)).toEqual([" 1  no route"]);
  });

  it("takes its source from -S, and reaches link-local addresses on a port", () => {
    const bench = makeRow();
    expect(trace(bench, "10.0.2.3 -S 10.0.7.1").slice(1)).toHaveLength(2);
    expect(new Set(probes(bench, "10.0.2.3").map(({ source }) => source))).toEqual(new Set([ip("10.0.7.1")]));
    expect(trace(bench, "fe80::ff:fe00:200%0").slice(1)).toEqual([" 1  fe80::ff:fe00:200  T  T  T"]);
  });

  it("ends when it is interrupted, and the console accepts commands again", () => {
    const bed = makeBed();
    bed.bench.begin("R1", "traceroute 10.0.2.10", "clear arp");
    bed.bench.run(5_000_000);
    bed.router.console.interrupt();
    bed.bench.run();
    expect(bed.bench.transcript("R1").split("\n").slice(2)).toEqual([
      " 1  *^C",
      "",
      "",
      "R1> clear arp",
      "",
      "R1> ",
    ]);
  });

  it.each([
    [
      "traceroute",
      "traceroute needs an address: traceroute ADDR[%PORT] [-m HOPS] [-q N] [-P udp|icmp] [-S ADDR] [-I PORT] [-V VRF]",
    ],
    ["traceroute host", "host is not an IPv4 or IPv6 address"],
    ["traceroute 10.0.2.10 -m 0", "-m takes a number from 1 to 255"],
    ["traceroute 10.0.2.10 -q 11", "-q takes a number from 1 to 10"],
    ["traceroute 10.0.2.10 -P tcp", "-P takes udp or icmp"],
    ["traceroute 10.0.2.255", "10.0.2.255 is the address of several hosts: traceroute finds the way to one"],
    ["traceroute 10.0.2.10 -c 1", "-c is not an option here: type help for those that are"],
  ])("rejects `%s` with the reason", (line, complaint) => {
    expect(say(makeBed(), line)).toEqual([complaint]);
  });
});
