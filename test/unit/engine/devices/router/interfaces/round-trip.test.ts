/** `show running-config` of a router, typed at one with the same ports, gives the same configuration; and so does `write`. */
import { type RouterState, routerStateWhenOff } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, paste, say, specOf } from "../probe.ts";

const CONFIGURATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  subinterfaces: {
    interfaces: [
      {
        name: "Ethernet0.10",
        vlan: 10,
        ipv4: "10.0.10.1/24",
        ipv6: "2001:db8:10::1/64",
        mtu: 1_400,
        ra: false,
        dhcp: { first: "10.0.10.100", last: "10.0.10.110", dns: ["1.1.1.1"], domain: "lab" },
      },
      { name: "Ethernet1.100.20", vlan: 20, outer_vlan: 100, ipv4: "10.0.20.1/24", shutdown: true },
    ],
    routes: [{ to: "10.9.0.0/16", via: "10.0.10.9" }],
  },
  "loopback interfaces": {
    interfaces: [
      { type: "loopback", name: "lo0", ipv4: "10.255.0.1/32", ipv6: "2001:db8:ff::1/128", shutdown: true },
    ],
  },
  "static routes": {
    interfaces: [{ name: "Ethernet0.10", vlan: 10, ipv4: "10.0.10.1/24" }],
    routes: [
      { to: "10.9.0.0/16", via: "10.0.10.9", track: "192.0.2.1" },
      { to: "10.9.0.0/16", via: "10.0.10.8", distance: 20 },
      { to: "10.9.0.0/16", via: "blackhole", distance: 254 },
      { to: "2001:db8:9::/48", via: "unreachable" },
    ],
  },
  "virtual routers": {
    ports: [
      {
        ipv4: "10.0.1.1/24",
        ipv6: "2001:db8:1::1/64",
        vrrp: [
          {
            id: 7,
            ipv4: ["10.0.1.253", "10.0.1.254"],
            ipv6: ["fe80::7"],
            priority: 120,
            advertisement_interval_cs: 25,
            preempt: false,
            accept: false,
            track: { interface: "Ethernet0.10", decrement: 30 },
          },
          { id: 8, ipv4: ["10.0.1.1"] },
        ],
      },
      {},
    ],
    interfaces: [
      { name: "Ethernet0.10", vlan: 10, ipv4: "10.0.10.1/24", vrrp: [{ id: 7, ipv4: ["10.0.10.254"] }] },
    ],
  },
  tunnels: {
    ports: [{ ipv4: "10.0.2.1/24" }, {}],
    interfaces: [
      { type: "gre", name: "tun0", local: "10.0.2.1", remote: "10.0.2.9", ipv4: "172.16.0.1/30", key: 0 },
      { type: "loopback", name: "lo", ipv4: "10.0.3.1/32" },
      {
        type: "gre",
        name: "tun1",
        local: "10.0.3.1",
        remote: "10.0.2.8",
        mtu: 1_400,
        ttl: 1,
        ipv6: "fd00::1/64",
      },
    ],
    routes: [{ to: "10.9.0.0/16", via: "172.16.0.2" }],
  },
  "switched ports": {
    ports: [
      { switchport: { vlan: 7 } },
      { switchport: { mode: "trunk", vlan: 3, allowed: "3,7-9" }, mtu: 9_000 },
    ],
    interfaces: [
      {
        type: "svi",
        name: "vlan7",
        ipv4: "10.0.7.1/24",
        dhcp: { first: "10.0.7.100", last: "10.0.7.110" },
        vrrp: [{ id: 7, ipv4: ["10.0.7.254"] }],
      },
      { type: "svi", name: "vlan9", ipv6: "2001:db8:9::1/64", vrf: "Red", shutdown: true },
    ],
    routes: [{ to: "10.9.0.0/16", via: "10.0.7.9" }],
  },
  VRFs: {
    ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.1.1/24", vrf: "Red" }],
    interfaces: [{ type: "loopback", name: "lo", ipv4: "10.0.3.1/32", vrf: "Red" }],
    routes: [
      { to: "10.9.0.0/16", via: "10.0.1.2" },
      { to: "10.9.0.0/16", via: "10.0.1.3", vrf: "Red", track: "10.0.1.3", distance: 5 },
    ],
  },
};

describe("a configuration", () => {
  it.each(Object.entries(CONFIGURATIONS))("of %s survives `show running-config`", (_what, properties) => {
    const bed = makeBed({ ports: [{}, {}], ...properties });
    const other = makeBed({ ports: [{}, {}] });
    paste(other, say(bed, "show running-config"));
    expect(other.router.saveState().running).toEqual(bed.router.saveState().running);
  });

  it.each(Object.entries(CONFIGURATIONS))("of %s survives `write`", (_what, properties) => {
    const plain = { ports: [{}, {}] };
    const bed = makeBed(plain);
    paste(bed, say(makeBed({ ...plain, ...properties }), "show running-config"));
    say(bed, "write");
    const saved = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    const next = makeBed(plain, routerStateWhenOff(specOf(plain), saved));
    expect(say(next, "show running-config")).toEqual(say(bed, "show running-config"));
    expect(say(next, "show startup-config")).toEqual(say(bed, "show running-config"));
  });
});
