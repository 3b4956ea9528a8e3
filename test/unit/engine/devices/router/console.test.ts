import { Router, type RouterState } from "@wirelab/engine/devices/router/index";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { bytes, ip, makeBed, Probe, paste, ROUTER_MAC, say, specOf, TWO_SUBNETS } from "./probe.ts";

const CLEAR_USAGE =
  "Usage: clear arp | clear access-list counters | clear logging | clear connections | clear ip nat translation";

/** A router next to an echoing one, so that pings get replies. */
function makePair(): DeviceBench {
  const bench = new DeviceBench();
  const near = specOf({
    ports: [{ ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" }],
    routes: [
      { to: "0.0.0.0/0", via: "10.0.1.2" },
      { to: "::/0", via: "2001:db8:1::2" },
    ],
  });
  const far = {
    ...specOf({ ports: [{ ipv4: "10.0.1.2/24", ipv6: "2001:db8:1::2/64" }] }, "R2"),
    mac: 0x0200_0000_0200,
  };
  bench.add("R1", (world) => new Router(near, world));
  bench.add("R2", (world) => new Router(far, world));
  bench.wire(["R1", 0], ["R2", 0]);
  return bench;
}

describe("the router's console", () => {
  it("prints the line, a blank line and the prompt for a command without output", () => {
    expect(makeBed().bench.type("R1", "", "clear arp")).toBe("R1> \n\nR1> clear arp\n\nR1> ");
  });

  it("lists its commands for help", () => {
    const bed = makeBed();
    expect(say(bed, "help")).toContain(
      "ping ADDR[%PORT] [-c N] [-s BYTES] [-D] [-S ADDR] [-I PORT] [-V VRF]",
    );
  });

  it.each([
    ["frobnicate", "% Unknown command: frobnicate"],
    ["constructor", "% Unknown command: constructor"],
    ["show", "% Command incomplete: show"],
    ["show constructor", "% Unknown command: show constructor"],
    ["ip", "Usage: ip PORT ADDR/LEN | ip PORT none [ipv4|ipv6]"],
    ["ip Ethernet9 10.0.0.1/24", "There is no port Ethernet9: show ip lists the ports"],
    ["ip Ethernet0", "Usage: ip PORT ADDR/LEN | ip PORT none [ipv4|ipv6]"],
    ["ip Ethernet0 none ipv5", "Usage: ip PORT ADDR/LEN | ip PORT none [ipv4|ipv6]"],
    [
      "ip Ethernet0 10.0.7.1",
      "10.0.7.1 is not an address with prefix length, like 10.0.1.1/24 or 2001:db8::1/64",
    ],
    ["ip Ethernet0 10.0.2.7/24", "the subnet of 10.0.2.1/24 overlaps that of port 0, 10.0.2.7/24"],
    ["ip Ethernet0 10.0.1.0/24", "10.0.1.0 is the network address of 10.0.1.0/24"],
    ["mtu Ethernet0 1", "mtu must be 68 to 9216, not 1"],
    ["mtu Ethernet0 big", "Usage: mtu PORT BYTES"],
    ["ra Ethernet0 maybe", "Usage: ra PORT on|off"],
    [
      "route add 10.9.0.0/16 10.0.1.2",
      "Usage: route add PREFIX via GW|blackhole|unreachable [distance N] [track ADDR] [vrf NAME] | route del PREFIX [via GW] [distance N] [vrf NAME]",
    ],
    ["route add 10.9.0.0/16 via 10.7.1.2", "the gateway 10.7.1.2 is not on the subnet of any port"],
    ["route del 10.9.0.0/16", "There is no static route to 10.9.0.0/16"],
    ["route del x", "x is not a prefix, like 10.9.0.0/16 or 2001:db8::/32"],
    [
      "dhcp Ethernet0 10.0.1.5",
      "Usage: dhcp PORT FIRST LAST [lease SECONDS] [dns ADDR...] [domain NAME] [reserve MAC ADDR]... | dhcp PORT off",
    ],
    [
      "dhcp Ethernet0 10.0.1.5 10.0.1.9 dns",
      "Usage: dhcp PORT FIRST LAST [lease SECONDS] [dns ADDR...] [domain NAME] [reserve MAC ADDR]... | dhcp PORT off",
    ],
    ["dhcp Ethernet0 10.0.1.5 10.0.3.9", "10.0.3.9 is not in the port's subnet 10.0.1.1/24"],
    ["dhcp Ethernet3 10.0.1.5 10.0.1.9", "There is no port Ethernet3: show ip lists the ports"],
    ["clear", CLEAR_USAGE],
    ["ping", "ping needs an address: ping ADDR[%PORT] [-c N] [-s BYTES] [-D] [-S ADDR] [-I PORT] [-V VRF]"],
    ["ping host", "host is not an IPv4 or IPv6 address"],
    ["ping 224.0.0.1", "224.0.0.1 cannot be probed: no host has this address"],
    ["ping 10.0.1.2 -c 0", "-c takes a number from 1 to 1000"],
    ["ping 10.0.1.2 -t", "-t is not an option here: type help for those that are"],
  ])("rejects `%s` with the reason", (line, complaint) => {
    expect(say(makeBed(), line)).toEqual([complaint]);
  });

  it("sets and removes addresses, by name or number of the port", () => {
    const bed = makeBed({ ports: [{}, {}] });
    expect(say(bed, "ip ethernet0 10.0.1.1/24")).toEqual([]);
    expect(say(bed, "ip 0 2001:db8:1::1/64")).toEqual([]);
    expect(bed.router.saveState().running.ports[0]).toMatchObject({
      ipv4: "10.0.1.1/24",
      ipv6: "2001:db8:1::1/64",
    });
    say(bed, "ip 0 none ipv4");
    expect(bed.router.saveState().running.ports[0]).toEqual({
      name: "Ethernet0",
      ipv6: "2001:db8:1::1/64",
      mtuBytes: 1_500,
      ra: true,
    });
    say(bed, "ip 0 none");
    expect(bed.router.saveState().running.ports[0]).not.toHaveProperty("ipv6");
  });

  it("keeps an address that a pool or a gateway needs, and reports why", () => {
    const bed = makeBed({ ...TWO_SUBNETS, routes: [{ to: "10.9.0.0/16", via: "10.0.2.2" }] });
    say(bed, "dhcp Ethernet0 10.0.1.100 10.0.1.199");
    expect(say(bed, "ip Ethernet0 none")).toEqual(["DHCP needs an IPv4 address on the same port"]);
    expect(say(bed, "ip Ethernet1 none")).toEqual(["the gateway 10.0.2.2 is not on the subnet of any port"]);
  });

  it("adds and removes routes", () => {
    const bed = makeBed();
    say(bed, "route add 10.9.0.0/16 via 10.0.2.10");
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.1.1") }, bytes(8));
    bed.bench.run();
    expect(bed.b.packets4.map(({ header }) => header.target)).toEqual([ip("10.9.1.1")]);
    say(bed, "route del 10.9.0.0/16");
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.1.1") }, bytes(8));
    bed.bench.run();
    expect(bed.a.packets4.map(({ payload }) => payload[0])).toEqual([3]);
  });

  it("forgets the neighbours of a port whose address changes", () => {
    const bed = makeBed();
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    bed.bench.run();
    expect(say(bed, "show arp").join("\n")).toContain("10.0.2.10");
    say(bed, "ip 1 10.0.2.2/24");
    expect(say(bed, "show arp")).toEqual(["No neighbours"]);
  });

  it("prints a running configuration whose commands create the same router", () => {
    const properties = {
      ports: [
        {
          ipv4: "10.0.1.1/24",
          ipv6: "2001:db8:1::1/64",
          mtu: 1_400,
          ra: false,
          dhcp: {
            first: "10.0.1.100",
            last: "10.0.1.199",
            lease_seconds: 60,
            dns: ["1.1.1.1", "8.8.8.8"],
            domain: "lab.example",
          },
        },
        { ipv4: "10.0.2.1/24" },
      ],
      routes: [
        { to: "0.0.0.0/0", via: "10.0.2.2" },
        { to: "::/0", via: "2001:db8:1::2" },
      ],
    };
    const lines = say(makeBed(properties), "show run");
    expect(lines).toEqual([
      "interface Ethernet0",
      " mtu 1400",
      " ip address 10.0.1.1/24",
      " ipv6 address 2001:db8:1::1/64",
      " ipv6 nd suppress-ra",
      " dhcp 10.0.1.100 10.0.1.199 lease 60 dns 1.1.1.1 8.8.8.8 domain lab.example",
      "exit",
      "interface Ethernet1",
      " ip address 10.0.2.1/24",
      "exit",
      "ip route 0.0.0.0/0 10.0.2.2",
      "ipv6 route ::/0 2001:db8:1::2",
    ]);
    const bare = makeBed({ ports: [{}, {}] });
    paste(bare, lines);
    expect(bare.router.saveState().running).toEqual(makeBed(properties).router.saveState().running);
  });

  it("shows ports, routes, pools and counters", () => {
    const bed = makeBed({
      ...TWO_SUBNETS,
      routes: [{ to: "0.0.0.0/0", via: "10.0.2.10" }],
    });
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10"), ttl: 1 }, bytes(8));
    bed.bench.run();
    expect(say(bed, "show ip")[1]).toBe(
      "Ethernet0  10.0.1.1/24  2001:db8:1::1/64  fe80::ff:fe00:100  02:00:00:00:01:00  1500",
    );
    expect(say(bed, "show route")).toEqual([
      "Network          Via        Port",
      "10.0.1.0/24      connected  Ethernet0",
      "10.0.2.0/24      connected  Ethernet1",
      "0.0.0.0/0        10.0.2.10  Ethernet1",
      "2001:db8:1::/64  connected  Ethernet0",
      "2001:db8:2::/64  connected  Ethernet1",
    ]);
    expect(say(bed, "show dhcp")).toEqual(["No port serves addresses"]);
    say(bed, "dhcp 0 10.0.1.100 10.0.1.199");
    expect(say(bed, "show dhcp")).toEqual(["Ethernet0: 10.0.1.100 to 10.0.1.199, lease 3600 s", "No leases"]);
    expect(say(bed, "show counters").slice(3)).toEqual([
      "Forwarded: 1 IPv4, 0 IPv6",
      "To the router: 0; from the router: 1",
      "Dropped, time to live exceeded: 1",
    ]);
    expect(say(bed, "show arp")[1]).toMatch(/^10\.0\.1\.10 {2}02:00:00:00:00:0a {2}Ethernet0 {2}300 s$/);
    expect(say(bed, "show neighbours")).toEqual(["No neighbours"]);
  });
});

describe("the router's ping", () => {
  it.each([
    ["10.0.1.2", "10.0.1.2"],
    ["2001:db8:1::2", "2001:db8:1::2"],
  ])("measures the round trip to %s", (target, from) => {
    const lines = makePair().type("R1", `ping ${target} -c 2`).split("\n");
    expect(lines[1]).toBe(`PING ${target}: 56 data bytes`);
    expect(lines[2]).toMatch(new RegExp(`^64 bytes from ${from}: seq=1 ttl=255 time=0\\.\\d{3} ms$`));
    expect(lines[3]).toMatch(/seq=2 ttl=255/);
    expect(lines[4]).toBe("2 sent, 2 received, 0% lost");
    expect(lines[5]).toMatch(/^round trip min\/avg\/max = [\d.]+\/[\d.]+\/[\d.]+ ms$/);
    expect(lines.slice(6)).toEqual(["", "R1> "]);
  });

  it("sends a request each second, five by default", () => {
    const bench = makePair();
    bench.type("R1", "ping 10.0.1.2");
    const sent = bench.frames.filter(
      ({ from, frame }) => from === "R1" && decodeIpv4(frame, 14)?.target === ip("10.0.1.2"),
    );
    expect(sent.map(({ atUs }) => Math.round(atUs / 1e6))).toEqual([0, 1, 2, 3, 4]);
  });

  it.each(["10.0.1.1", "2001:db8:1::1"])("reaches the router's own address %s", (own) => {
    expect(makePair().type("R1", `ping ${own} -c 1`)).toContain(`64 bytes from ${own}: seq=1 ttl=255`);
  });

  it.each([
    ["192.0.2.1", "from 10.0.1.2: seq=1 network unreachable"],
    ["2a00::1", "from 2001:db8:1::2: seq=1 no route"],
    ["10.0.1.77", "from 10.0.1.1: seq=1 host unreachable"],
    ["2001:db8:1::77", "from 2001:db8:1::1: seq=1 address unreachable"],
  ])("reports the error from %s", (target, line) => {
    const lines = makePair().type("R1", `ping ${target} -c 1`).split("\n");
    expect(lines.slice(2, 4)).toEqual([line, "1 sent, 0 received, 100% lost"]);
  });

  it("reports a missing route and a missing reply", () => {
    const bed = makeBed();
    expect(say(bed, "ping 192.0.2.1 -c 1")[1]).toBe("seq=1 no route");
    expect(say(bed, "ping 10.0.2.10 -c 1")[1]).toBe("seq=1 no answer");
  });

  it("ignores replies to another ping", () => {
    const bed = makeBed();
    bed.bench.begin("R1", "ping 10.0.2.10 -c 1");
    bed.b.send4(
      ROUTER_MAC + 1,
      { target: ip("10.0.2.1"), protocol: 1 },
      encodeIcmp(0, 0, 0x0bad_0001, bytes(56)),
    );
    bed.bench.run();
    expect(bed.bench.transcript("R1")).toContain("1 sent, 0 received, 100% lost");
  });

  it("counts a duplicate reply once", () => {
    const bed = makeBed();
    bed.bench.begin("R1", "ping 10.0.2.10 -c 2");
    const reply = encodeIcmp(0, 0, 0x0001_0001, bytes(56));
    for (let copy = 0; copy < 2; copy++)
      bed.b.send4(ROUTER_MAC + 1, { target: ip("10.0.2.1"), protocol: 1 }, reply);
    bed.bench.run();
    expect(bed.bench.transcript("R1")).toContain("2 sent, 1 received, 50% lost");
  });

  it("ends when it is interrupted, and the console accepts commands again", () => {
    const bed = makeBed();
    bed.bench.begin("R1", "ping 10.0.2.10 -c 100", "clear arp");
    bed.bench.run(1_500_000);
    bed.router.console.interrupt();
    bed.bench.run();
    expect(bed.bench.transcript("R1")).toBe(
      [
        "R1> ping 10.0.2.10 -c 100",
        "PING 10.0.2.10: 56 data bytes",
        "^C",
        "1 sent, 0 received, 100% lost",
        "",
        "R1> clear arp",
        "",
        "R1> ",
      ].join("\n"),
    );
    bed.router.console.interrupt();
  });
});

describe("a router's state", () => {
  const roundTrip = (state: RouterState): RouterState => JSON.parse(JSON.stringify(state));

  it("is plain data from which the same router can be created", () => {
    const bed = makeBed();
    say(bed, "route add 10.9.0.0/16 via 10.0.2.10");
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    say(bed, "ping 2001:db8:2::10 -c 1");
    const state = bed.router.saveState();
    expect([state.arp.length, state.neighbours.length]).toEqual([1, 1]);
    expect(roundTrip(state)).toEqual(state);
    expect(makeBed(TWO_SUBNETS, roundTrip(state)).router.saveState()).toEqual(state);
  });

  it("includes the running configuration", () => {
    const bed = makeBed();
    say(bed, "ip 0 10.7.0.1/24");
    expect(makeBed(TWO_SUBNETS, bed.router.saveState()).bench.type("R1", "show run")).toContain(
      "10.7.0.1/24",
    );
    expect(makeBed(TWO_SUBNETS).bench.type("R1", "show run")).not.toContain("10.7.0.1/24");
  });

  it("is not shared with the router that is created from it", () => {
    const bed = makeBed();
    const state = bed.router.saveState();
    const next = makeBed(TWO_SUBNETS, state);
    next.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    next.bench.run();
    expect(state.counters.forwarded4).toBe(0);
  });

  it("contains neither timers nor frames", () => {
    const bench = new DeviceBench();
    const router = bench.add("R1", (world) => new Router(specOf(TWO_SUBNETS), world));
    bench.add("A", (world) => new Probe(world, 1, "10.0.1.10"));
    router.start();
    bench.run(10_000_000);
    expect(bench.frames).toEqual([]);
  });
});
