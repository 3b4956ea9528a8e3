/** What `show running-config` prints, given to the real vtysh, which checks a file without any daemon: `vtysh -C`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MATCHES } from "../../packages/engine/routing/policy/matches.ts";
import { SETS } from "../../packages/engine/routing/policy/sets.ts";
import { BETWEEN } from "../helpers/labs/redistribution.ts";
import { WHOLE } from "../unit/engine/devices/router/bgp/whole.ts";
import { makeBed, say } from "../unit/engine/devices/router/probe.ts";

const hasVtysh = spawnSync("vtysh", ["--help"]).status === 0;

/** @returns what vtysh refuses, by the line. */
function refusedBy(lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-vtysh-"));
  const file = join(folder, "frr.conf");
  writeFileSync(file, `${lines.join("\n")}\n`);
  const { stdout, stderr } = spawnSync("vtysh", ["-C", "-f", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return [...`${stdout}${stderr}`.matchAll(/^line (\d+): (.*)$/gm)].map(
    ([, line]) => lines[Number(line) - 1]!,
  );
}

/** A value for each word of the syntax of a clause; the first of several, and no optional ones. */
const VALUES: Readonly<Record<string, string>> = {
  NAME: "A",
  LENGTH: "24",
  NUMBER: "7",
  METRIC: "+7",
  IFNAME: "eth0",
  PEER: "10.0.0.1",
  "AS...": "65000 65001",
  AS: "65000",
  "COMMUNITY...": "65000:1 no-export",
  "LARGE-COMMUNITY...": "65000:1:2",
  "EXTENDED...": "65000:1",
};

const exampleOf = (word: string, isIpv6: boolean): string[] => {
  if (word.startsWith("[")) return [];
  if (word.startsWith("ADDR")) return [isIpv6 ? "2001:db8::1" : "10.0.0.1"];
  return [VALUES[word] ?? word.split("|")[0]!];
};

const PORT = {
  ipv4: "10.0.1.1/24",
  ipv6: "2001:db8:1::1/64",
  ospf: {
    area: "0.0.0.3",
    network: "point-to-point",
    cost: 7,
    priority: 0,
    hello_seconds: 1,
    dead_seconds: 3,
    retransmit_seconds: 2,
    transmit_delay_seconds: 3,
    passive: true,
    mtu_ignore: true,
    authentication: "message-digest",
    authentication_key: "secret",
    message_digest_keys: { "5": "secret", "6": "other" },
  },
};

describe.skipIf(!hasVtysh)("vtysh (skipped without it: apt-get install frr)", () => {
  it("takes profiles and peers of BFD, and neighbours that OSPF has watched", () => {
    const timing = {
      detect_multiplier: 4,
      receive_interval_ms: 100,
      transmit_interval_ms: 50,
      passive_mode: true,
      shutdown: true,
    };
    const lines = say(
      makeBed({
        ports: [{ ipv4: "10.0.1.1/24", ospf: { bfd: true, bfd_profile: "fast" } }],
        bgp: { as: 65_001, neighbors: { "10.0.1.2": { remote_as: 65_002, bfd: true, bfd_profile: "fast" } } },
        bfd: {
          profiles: { fast: { ...timing, minimum_ttl: 250 }, usual: {} },
          peers: [
            { address: "10.0.1.2", interface: "Ethernet0", profile: "fast", ...timing },
            { address: "10.9.0.2", multihop: true, local_address: "10.0.1.1", minimum_ttl: 20 },
            { address: "2001:db8::2" },
          ],
        },
      }),
      "show running-config",
    );
    expect(lines.filter((line) => line.includes("peer"))).toHaveLength(3);
    expect(refusedBy(lines)).toEqual([]);
  });

  it("takes interfaces, static routes and OSPF", () => {
    const lines = say(
      makeBed({
        ports: [
          PORT,
          { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64", ra: false, shutdown: true },
          { ipv4: "10.0.3.1/24", vrf: "red", ospf: {} },
          { ospf: { authentication: "password", authentication_key: "k" } },
        ],
        interfaces: [{ type: "loopback", name: "lo", ipv4: "10.255.0.1/32" }],
        routes: [
          { to: "10.9.0.0/16", via: "10.0.1.9" },
          { to: "10.9.0.0/16", via: "10.0.2.9", distance: 7 },
          { to: "10.8.0.0/16", via: "blackhole", distance: 3 },
          { to: "10.7.0.0/16", via: "unreachable" },
          { to: "10.6.0.0/16", via: "10.0.3.9", vrf: "red", distance: 9 },
          { to: "2001:db8:9::/48", via: "2001:db8:1::9" },
          { to: "2001:db8:8::/48", via: "unreachable", distance: 9 },
        ],
        ospf: {
          router_id: "9.9.9.9",
          networks: { "10.0.0.0/8": "0", "10.0.2.0/24": "0.0.0.1" },
          areas: { "1": "stub no-summary", "0.0.0.2": "stub" },
          passive: ["Ethernet1"],
          redistribute: { connected: { metric: 2, metric_type: "1" }, static: {} },
          default_route: { always: true, metric: 5, metric_type: "1" },
          spf_delay_ms: 10,
          spf_hold_ms: 100,
          spf_max_hold_ms: 1000,
          lsa_interval_ms: 2000,
          lsa_arrival_ms: 500,
        },
      }),
      "show running-config",
    );
    expect(lines.length).toBeGreaterThan(50);
    expect(refusedBy(lines)).toEqual([]);
  });

  it("takes redistribution with route maps, distances and passive interfaces", () => {
    const lines = say(makeBed({ config: BETWEEN }), "show running-config");
    expect(lines.length).toBeGreaterThan(BETWEEN.split("\n").length - 5);
    expect(refusedBy(lines)).toEqual([" split-horizon simple"]);
    const others = say(
      makeBed({
        rip: {
          distance: 99,
          passive_default: true,
          active: ["Ethernet1"],
          redistribute: { bgp: { route_map: "A" } },
        },
        ospf: {
          distance: 9,
          distances: { intra_area: 1, inter_area: 2, external: 3 },
          passive_default: true,
          active: ["Ethernet1"],
          redistribute: { bgp: { route_map: "A" } },
          default_route: { always: true, metric: 5, route_map: "A" },
        },
        routes: [
          { to: "10.9.0.0/16", via: "blackhole", tag: 5, distance: 7 },
          { to: "2001:db8:9::/48", via: "unreachable", tag: 5 },
        ],
      }),
      "show running-config",
    );
    expect(others.length).toBeGreaterThan(15);
    expect(refusedBy(others)).toEqual([" split-horizon poisoned-reverse"]);
  });

  it("takes lists and route maps", () => {
    const clauses = (rows: readonly { readonly head: string; readonly syntax?: string }[]): string[] =>
      rows.map(({ head, syntax = "" }) =>
        [head, ...syntax.split(" ").flatMap((word) => exampleOf(word, head.startsWith("ipv6")))]
          .join(" ")
          .trim(),
      );
    const lines = say(
      makeBed({
        route_lists: [
          {
            type: "ip prefix-list",
            name: "A",
            description: "some words",
            rules: ["permit 10.0.0.0/8 ge 9 le 24", "deny any"],
          },
          { type: "ipv6 prefix-list", name: "A", rules: ["permit 2001:db8::/32 le 48", "permit any"] },
          { type: "bgp as-path access-list", name: "P", rules: ["permit ^65001_(1|2)$"] },
          { type: "bgp community-list standard", name: "C", rules: ["permit 65000:1 no-export local-AS"] },
          { type: "bgp community-list expanded", name: "X", rules: ["permit 65000:.* no-export"] },
          { type: "bgp community-list standard", name: "10", rules: ["permit 65000:1"] },
          { type: "bgp community-list expanded", name: "100", rules: ["permit 65000:."] },
          { type: "bgp large-community-list standard", name: "L", rules: ["permit 65000:1:2"] },
          { type: "bgp large-community-list expanded", name: "Y", rules: ["permit 65000:"] },
        ],
        route_maps: [
          { name: "M", seq: 10, action: "permit", match: clauses(MATCHES), call: "N", on_match: "next" },
          {
            name: "M",
            seq: 20,
            action: "deny",
            description: "some words",
            set: clauses(SETS),
            on_match: "goto 30",
          },
        ],
      }),
      "show running-config",
    );
    expect(lines.filter((line) => /^ (match|set) /.test(line))).toHaveLength(MATCHES.length + SETS.length);
    expect(refusedBy(lines)).toEqual([]);
  });

  it("takes BGP", () => {
    const lines = say(
      makeBed({ config: `interface eth0\n ip address 10.0.1.1/24\nexit\n${WHOLE}` }),
      "show running-config",
    );
    expect(lines.length).toBeGreaterThan(50);
    expect(refusedBy(lines)).toEqual([]);
  });

  it("refuses the router's own words alone", () => {
    const lines = say(
      makeBed({
        ports: [
          {
            ipv4: "10.0.1.1/24",
            mtu: 1400,
            dhcp: { first: "10.0.1.100", last: "10.0.1.199" },
            vrrp: [{ id: 7, ipv4: ["10.0.1.254"] }],
          },
          { ipv4: "10.0.2.1/24" },
        ],
        interfaces: [{ type: "loopback", name: "lo0" }],
        rip: {
          networks: ["10.0.0.0/8", "Ethernet1"],
          passive: ["Ethernet1"],
          neighbors: ["10.0.1.9"],
          redistribute: { static: { metric: 3, tag: 9 }, connected: { metric: 3 } },
          default_route: true,
          update_seconds: 10,
          authentication: { Ethernet0: { mode: "text", keys: [{ key: "wire" }] } },
        },
        dns: { hosts: { "a.lab": "10.0.1.5" } },
        routes: [{ to: "10.9.0.0/16", via: "10.0.1.9", track: "10.0.1.9" }],
      }),
      "show running-config",
    );
    expect(refusedBy(lines)).toEqual([
      " mtu 1400",
      " dhcp 10.0.1.100 10.0.1.199 lease 3600",
      "interface lo0 loopback",
      "ip route 10.9.0.0/16 10.0.1.9 track 10.0.1.9",
      " split-horizon poisoned-reverse",
      " redistribute static metric 3 tag 9",
      " authentication Ethernet0 text wire",
      "dns",
      "dns host a.lab 10.0.1.5",
    ]);
  });
});
