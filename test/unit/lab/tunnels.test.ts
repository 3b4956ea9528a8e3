/** A packet is followed into, through and out of tunnels. */
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeGre } from "@wirelab/engine/wire/gre";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { encodeUdpUnchecked } from "@wirelab/engine/wire/udp";
import { encodeVxlan } from "@wirelab/engine/wire/vxlan";
import { identityBehind, identityOf, isCarriedOn } from "@wirelab/lab/play/packet-identity";
import { traceProbe } from "@wirelab/lab/trace/trace";
import { describe, expect, test } from "vitest";
import { parse, report, yaml } from "./helpers.ts";

describe("the identity of a packet", () => {
  const ether = (packet: Uint8Array, type = ETHERTYPE_IPV4) => encodeEthernet(1, 2, type, packet);
  const ipv4 = (protocol: number, payload: Uint8Array, ttl = 64) =>
    encodeIpv4({ source: 0xc000_0201, target: 0xc633_6401, protocol, ttl, id: 7 }, payload)[0]!;
  const passenger = (ttl = 64) =>
    encodeIpv4(
      { source: 0x0a01_000a, target: 0x0a02_000a, protocol: 1, ttl, id: 1 },
      Uint8Array.of(8, 0, 1, 2, 3, 4, 5, 6),
    )[0]!;
  const own = identityOf(ether(passenger()));
  const ipv6 = (nextHeader: number, payload: Uint8Array) =>
    ether(encodeIpv6({ source: 1n, target: 2n, nextHeader, hopLimit: 9 }, payload), ETHERTYPE_IPV6);
  const vxlan = (port: number) =>
    encodeUdpUnchecked({
      sourcePort: 5,
      targetPort: port,
      data: encodeVxlan({ vni: 9, frame: ether(passenger(63)) }),
    });

  const tunnels: [string, Uint8Array][] = [
    ["GRE", ether(ipv4(47, encodeGre({ etherType: 0x0800, key: undefined, payload: passenger(63) })))],
    ["GRE with a key", ether(ipv4(47, encodeGre({ etherType: 0x0800, key: 5, payload: passenger(63) })))],
    [
      "Ethernet in GRE",
      ether(ipv4(47, encodeGre({ etherType: 0x6558, key: 5, payload: ether(passenger(63)) }))),
    ],
    ["VXLAN", ether(ipv4(17, vxlan(4789)))],
    ["VXLAN at another port", ether(ipv4(17, vxlan(8472)))],
    ["IP in IP", ether(ipv4(4, passenger(63)))],
    ["IPv4 in IPv6", ipv6(4, passenger(63))],
    ["GRE over IPv6", ipv6(47, encodeGre({ etherType: 0x0800, key: undefined, payload: passenger(63) }))],
    [
      "GRE in IP in IP",
      ether(ipv4(4, ipv4(47, encodeGre({ etherType: 0x0800, key: 1, payload: passenger(62) })))),
    ],
  ];

  test.each(tunnels)("is the same in %s", (_what, frame) => {
    expect(identityOf(frame)).toBe(own);
    expect(identityBehind(frame)).toBe(identityBehind(ether(passenger())));
  });

  test("is the same with the padding of a short frame", () => {
    const frame = ether(passenger());
    const padded = new Uint8Array(60);
    padded.set(frame);
    expect(identityOf(padded)).toBe(own);
  });

  test("of a fragment of a tunnel's packet is its own", () => {
    const whole = ipv4(47, encodeGre({ etherType: 0x0800, key: undefined, payload: passenger(63) }));
    whole[6] = 0x20;
    expect(identityOf(ether(whole))).not.toBe(own);
  });

  test.each([
    ["GRE", 47],
    ["UDP", 17],
    ["IP in IP", 4],
  ])("of %s that is cut off is its own", (_what, protocol) => {
    for (let length = 0; length < 16; length++)
      expect(identityOf(ether(ipv4(protocol, new Uint8Array(length).fill(8))))).not.toBe(own);
  });

  test("of a tunnel's packet tells whether a node has passed it on as it is", () => {
    const gre = (ttl: number) =>
      ether(ipv4(47, encodeGre({ etherType: 0x0800, key: undefined, payload: passenger(63) }), ttl));
    expect(isCarriedOn(gre(255), gre(254))).toBe(true);
    expect(isCarriedOn(ether(passenger()), gre(255))).toBe(false);
    expect(isCarriedOn(gre(255), ether(passenger()))).toBe(false);
    expect(isCarriedOn(ether(passenger()), ether(passenger(63)))).toBe(false);
  });
});

const GRE = yaml(`
  nodes:
    a: {ip: 10.1.0.10/24, gateway: 10.1.0.1}
    b: {ip: 10.2.0.10/24, gateway: 10.2.0.1}
    r1: {type: router, ports: [10.1.0.1/24, 192.0.2.1/30], interfaces: [{type: gre, name: tun0, local: 192.0.2.1, remote: 198.51.100.1, ipv4: 172.16.0.1/30}], routes: {0.0.0.0/0: 192.0.2.2, 10.2.0.0/24: 172.16.0.2}}
    isp: {type: router, ports: [192.0.2.2/30, 198.51.100.2/30]}
    r2: {type: router, ports: [10.2.0.1/24, 198.51.100.1/30], interfaces: [{type: gre, name: tun0, local: 198.51.100.1, remote: 192.0.2.1, ipv4: 172.16.0.2/30}], routes: {0.0.0.0/0: 198.51.100.2, 10.1.0.0/24: 172.16.0.1}}
  links: [a -- r1:0, {link: "r1:1 -- isp:0", name: west}, {link: "isp:1 -- r2:1", name: east}, r2:0 -- b]
`);
const VXLAN = yaml(`
  nodes:
    a: 10.0.0.1/24
    b: 10.0.0.2/24
    v1: {type: router, ports: [192.0.2.1/30, {}], interfaces: [{type: vxlan, name: x, vni: 7, udp_port: 5000, local: 192.0.2.1, remotes: [198.51.100.1], members: [Ethernet1]}], routes: {0.0.0.0/0: 192.0.2.2}}
    v2: {type: router, ports: [198.51.100.1/30, {}], interfaces: [{type: vxlan, name: x, vni: 7, udp_port: 5000, local: 198.51.100.1, remotes: [192.0.2.1], members: [Ethernet1]}], routes: {0.0.0.0/0: 198.51.100.2}}
    net: {type: router, ports: [192.0.2.2/30, 198.51.100.2/30]}
  links: [a -- v1:1, "v1:0 -- net:0", {link: "net:1 -- v2:0", name: east}, v2:1 -- b]
`);

describe("a path through a tunnel", () => {
  test.each([
    ["GRE", GRE, "r1, r2", "r1, isp, r2"],
    ["VXLAN", VXLAN, "v1, v2", "v1, net, v2"],
  ])(
    "%s: routers on the way have the packet itself in hand; `through` has all nodes",
    (_what, lab, via, through) => {
      const text = `${lab}expect: [{path: a -> b, via: [${via}]}, {path: a -> b, hops: 2}, {path: a -> b, through: [${through}]}]`;
      expect(report(text).verdicts.map(({ status, got }) => `${status} ${got}`)).toEqual([
        expect.stringContaining("passed"),
        expect.stringContaining("passed"),
        expect.stringContaining("passed"),
      ]);
    },
  );

  test("is traced into, through and out of it", () => {
    const { request } = traceProbe(parse(GRE), { from: "a", to: "b", protocol: "icmp", port: 7 });
    expect(
      request.filter(({ what }) => what === "router").map(({ where, did }) => `${where} ${did}`),
    ).toEqual([
      "r1 forwards it (into GRE 192.0.2.1 > 198.51.100.1, TTL 64 to 63, new MACs) at Ethernet1",
      "isp forwards it (TTL 255 to 254, new MACs) at Ethernet1",
      "r2 forwards it (out of GRE 192.0.2.1 > 198.51.100.1, TTL 63 to 62, new MACs) at Ethernet0",
    ]);
  });

  test("that ends in the network of the provider is not the fault of the tunnel's router", () => {
    const lost = `${GRE.replace("name: east}", "name: east, filters: {bpf: ip proto 47}}")}expect: [{reach: a -> b, tries: 1}]`;
    expect(report(lost).verdicts[0]).toMatchObject({
      status: "failed",
      evidence: { death: { where: "east", why: "dropped by bpf" } },
    });
  });
});

test("a way that ends without a cause says so, and blames no node", () => {
  // The tunnel's packets are larger than the provider's links, so r1 sends fragments of them, one of which is lost.
  const text = GRE.replace("192.0.2.1/30]", "{ipv4: 192.0.2.1/30, mtu: 200}]").replace(
    "name: east}",
    "name: east, filters: {bpf: ip proto 47}}",
  );
  expect(report(`${text}expect: [{ping: a -> b, size: 400, count: 1}]`).verdicts[0]).toMatchObject({
    status: "failed",
    evidence: {
      death: { where: "r1", why: "got it, and what it sent then is another packet; no cause is known" },
    },
  });
  expect(traceProbe(parse(text), { from: "a", to: "b", protocol: "icmp", port: 7 }).isAnswered).toBe(false);
});
