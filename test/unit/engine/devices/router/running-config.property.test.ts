/** `show running-config` is what makes the same router: pasted in configuration mode, and read as a text. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Bed, makeBed, paste, say } from "./probe.ts";

const PORTS = { ports: [{}, {}, {}] };

/** Lines of configuration mode of every kind. Many are refused, alone or after others: then they must change nothing. */
const POOL: string[] = [
  ...["ip 0 10.0.1.1/24", "ip 1 10.0.2.1/24", "ip 0 2001:db8:1::1/64", "ip 1 none", "ip 0 none ipv6"],
  ...["mtu 0 1400", "mtu 1 9000", "ra 0 off", "ra 0 on", "shutdown 2", "no shutdown 2"],
  ...["vrf 1 red", "vrf 1 none", "vrf lo0 red"],
  ...[
    "dhcp 0 10.0.1.100 10.0.1.199 lease 60 dns 10.0.1.1 domain lab.example reserve 02:00:00:00:00:07 10.0.1.107",
  ],
  ...["dhcp 0 off", "dhcpv6 0 2001:db8:1::100 2001:db8:1::1ff lease 90", "no dhcpv6 0"],
  ...["interface lo0 loopback", "ip lo0 10.255.0.1/32", "no interface lo0"],
  ...[
    "interface Ethernet1.10 vlan 10",
    "interface Ethernet1.20 vlan 20 outer 7",
    "ip Ethernet1.10 10.1.10.1/24",
  ],
  ...["interface tun0 gre 10.0.1.1 10.0.9.9 key 7 ttl 64", "ip tun0 172.16.0.1/30", "mtu tun0 1300"],
  ...["interface vx0 vxlan 42 10.0.1.1 remote 10.0.1.9 remote 10.0.1.8 ttl 9", "no interface vx0"],
  ...["switchport 2 access 30", "switchport 2 trunk native 30 allowed 30,40-42", "no switchport 2"],
  ...["interface vlan30 svi", "ip vlan30 10.30.0.1/24"],
  ...["route add 10.9.0.0/16 via 10.0.1.9", "route add 10.9.0.0/16 via 10.0.2.9 distance 7 track 10.0.2.9"],
  ...[
    "ip route 10.8.0.0/16 blackhole 9",
    "ipv6 route 2001:db8:9::/48 2001:db8:1::9",
    "ip route 10.7.0.0/16 10.0.2.9 vrf red",
  ],
  ...["route del 10.9.0.0/16", "no ip route 10.8.0.0/16 blackhole"],
  ...[
    "vrrp 0 7 ip 10.0.1.254 priority 150 preempt off accept off track Ethernet1 20",
    "vrrp 0 8 ipv6 fe80::8",
    "no vrrp 0 7",
  ],
  ...[
    "router rip network 10.0.1.0/24",
    "router rip neighbor 10.0.1.9",
    "router rip redistribute static metric 3",
  ],
  ...[
    "router ospf ospf router-id 1.1.1.1",
    "router ospf network 10.0.1.0/24 area 0.0.0.1",
    "router ospf network 10.0.0.0/8 area 0",
    "router ospf area 1 stub no-summary",
    "router ospf passive-interface Ethernet0",
    "router ospf redistribute connected metric 9 metric-type 1",
    "router ospf default-information originate always",
    "router ospf timers throttle spf 10 20 30",
    "router ospf timers lsa min-arrival 500",
    "no router ospf network 10.0.0.0/8",
  ],
  ...["ip ospf area 0 0.0.0.1", "ip ospf cost 1 7", "ip ospf network 1 point-to-point", "ip ospf passive 0"],
  ...["ip ospf authentication 0 message-digest", "ip ospf message-digest-key 0 5 md5 secret"],
  ...["ip ospf authentication-key 1 secret", "ip ospf hello-interval 1 3", "no ip ospf cost 1"],
  ...["interface lo loopback", "ip lo 10.254.0.1/32", "router rip split-horizon simple"],
  ...["router rip timers basic 10 60 40", "router rip passive-interface Ethernet0", "no router rip"],
  ...[
    "dns host a.lab 10.0.1.5 2001:db8:1::5",
    "dns alias b.lab a.lab",
    "dns zone lab",
    "dns server 10.0.2.53",
    "dns ttl 9",
  ],
  ...["no dns host a.lab", "no dns"],
  ...[
    "dhcp-relay 1 10.0.1.5 10.0.1.6",
    "dhcp-relay agent-option on",
    "dhcp-relay max-hops 9",
    "no dhcp-relay",
  ],
  ...["dhcp-pool 10.50.0.0/24 gateway 10.50.0.1 10.50.0.10 10.50.0.20 lease 70", "no dhcp-pool 10.50.0.0/24"],
  ...["syslog server 10.0.1.5", "syslog facility 3", "syslog severity 4", "flows limit 9", "no flows"],
  ...[
    "access-list A permit tcp any eq 80 host 10.0.1.5 established log",
    "access-list A 5 deny udp 10.0.1.0/24 any",
  ],
  ...[
    "ipv6 access-list B reject icmpv6 any any type 128",
    "no access-list A 5",
    "access-group 0 A in",
    "access-group 0 B out",
  ],
  ...[
    "no access-group 0 A in",
    "connections limit 99",
    "connections udp_seconds 240",
    "no connections limit",
  ],
  ...[
    "ip nat source Ethernet1 10.0.1.0/24 interface",
    "ip nat static Ethernet1 10.0.1.9 10.0.2.9",
    "ip nat hairpin",
  ],
  ...["ip nat forward Ethernet1 tcp 8080-8089 10.0.1.7 80", "no ip nat hairpin"],
];

/** Lines that the router takes after others only: random orders rarely have these. */
const AFTER_OTHERS = [
  "interface lo0 loopback",
  "ip 1 10.0.2.1/24",
  "vrf 1 red",
  "vrf lo0 red",
  "ip route 10.7.0.0/16 10.0.2.9 vrf red",
];

/** The order of interfaces is not part of a configuration. */
function configOf({ router }: Bed): unknown {
  const { interfaces = [], ...others } = router.saveState().running;
  return { ...others, interfaces: interfaces.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

it("makes the same router from any configuration", () => {
  const kept = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(fc.subarray(POOL), fc.shuffledSubarray(POOL)), (picked) => {
      const bed = makeBed(PORTS);
      say(bed, "configure terminal");
      for (const line of picked) if (say(bed, line).length === 0) kept.add(line);
      say(bed, "end");
      const shown = say(bed, "show running-config");
      const pasted = makeBed(PORTS);
      paste(pasted, shown);
      for (const again of [pasted, makeBed({ config: shown.join("\n"), ...PORTS })]) {
        expect(configOf(again)).toEqual(configOf(bed));
        expect(say(again, "show running-config")).toEqual(shown);
      }
    }),
    { seed: 18, numRuns: 60, examples: [[AFTER_OTHERS]] },
  );
  // Lines that are always refused would test nothing.
  expect(POOL.filter((line) => !kept.has(line))).toEqual([]);
});
