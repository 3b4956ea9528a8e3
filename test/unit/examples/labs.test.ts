/** Each lab of examples/labs passes, and fails when the point that it makes is taken out of it. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import type { LabReport } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { describe, expect, test } from "vitest";
import { capture } from "../../../examples/labs/make-arp-spoofing.ts";
import { drawn, drawOf } from "../../helpers/cases/draw.ts";

const FOLDER = new URL("../../../examples/labs", import.meta.url).pathname;
const FILES = globSync("**/*.lab.yaml", { cwd: FOLDER }).toSorted();

function run(file: string, change: (text: string) => string = (text) => text): LabReport {
  const path = join(FOLDER, file);
  const load = (name: string): Uint8Array => readFileSync(join(dirname(path), name));
  const loadTopology = (name: string) => readTopologyFile(name, load(name));
  return runLab(parseLabFile(change(readFileSync(path, "utf8")), { name: file, file, load, loadTopology }));
}

const wrongOf = ({ verdicts }: LabReport): string[] =>
  verdicts.filter(({ status }) => status !== "passed").map(({ name, got }) => `${name}: ${got}`);

/** What each lab shows, as a text of its file, what takes its place, and the kinds of expectations that fail then. */
const POINTS: Readonly<Record<string, readonly [text: string, instead: string, fails: readonly string[]]>> = {
  "access-list.lab.yaml": [
    "permit ip any any state established,related",
    "permit ip any any",
    ["reach", "console"],
  ],
  "arp-spoofing.lab.yaml": [
    "replay: {file: arp-spoofing.pcap, from: pc3}",
    "stop: pc3",
    ["arp", "count", "seen", "reach"],
  ],
  "asymmetric-loss.lab.yaml": [", filters: {frequency_drop: 3}", "", ["count", "filter", "ping"]],
  "bgp-dual-homed.lab.yaml": ["remote_as: 64501, weight: 200", "remote_as: 64501", ["best"]],
  "bgp-dual-homed-broken.lab.yaml": ["remote_as: 64503", "remote_as: 64501", ["adjacency"]],
  "bgp-route-reflector.lab.yaml": [", next_hop_self: own", "", ["best", "rib", "reach"]],
  "bgp-route-reflector-broken.lab.yaml": ["networks: [10.30.0.0/16]", "networks: [10.30.0.0/24]", ["best"]],
  "bgp-site.lab.yaml": [
    "neighbor 10.255.0.2 route-reflector-client",
    "neighbor 10.255.0.2 shutdown",
    ["path"],
  ],
  "containerlab/two-sites.lab.yaml": ["start: router", "start: host1", ["reach"]],
  "bfd.lab.yaml": [
    "10.0.1.1/24\n       ip ospf network point-to-point\n       ip ospf bfd\n",
    "10.0.1.1/24\n       ip ospf network point-to-point\n",
    ["console", "rib", "reach"],
  ],
  "dhcp-relay.lab.yaml": [
    "10.0.0.1/24]\n    routes: {10.2.0.0/24: 10.0.0.2}\n    dhcp_relay: {ports: {Ethernet0: 10.0.0.9}}",
    "10.0.0.1/24]",
    ["lease", "reach", "seen"],
  ],
  "dhcp.lab.yaml": ["last: 10.0.1.101", "last: 10.0.1.102", ["lease"]],
  "dns.lab.yaml": ["servers: [10.0.12.2]", "servers: []", ["console", "seen"]],
  "equal-routes.lab.yaml": ["[10.1.0.2, 10.2.0.2]", "10.1.0.2", ["route", "seen"]],
  "failover.lab.yaml": ["route add 10.0.2.0/24 via 192.168.2.2", "show route", ["reach", "route", "ping"]],
  "internet.lab.yaml": [", address: 9.9.9.9", "", ["reach", "console"]],
  "link-bundle.lab.yaml": [", bundles: [{ports: [1, 2], mode: passive}]", "", ["reach"]],
  "first-hop-redundancy.lab.yaml": [", track: {interface: Ethernet1, decrement: 60}", "", ["path"]],
  "gre-tunnel.lab.yaml": ["remote: 192.0.2.1, key: 7", "remote: 192.0.2.1, key: 8", ["console", "reach"]],
  "layer-3-switch.lab.yaml": ['allowed: "10,20"', 'allowed: "10,20,30"', ["reach", "count"]],
  "long-fat-link.lab.yaml": [", frequency_drop: 4000", "", ["throughput"]],
  "loss-and-delay.lab.yaml": ["packet_loss: 10%, ", "", ["ping"]],
  "marks.lab.yaml": [", tcp: {ecn: on}", "", ["throughput", "console"]],
  "mtu-black-hole.lab.yaml": [', filters: {bpf: "icmp[0] = 3"}', "", ["count", "filter", "console"]],
  "nat.lab.yaml": [
    "{out: Ethernet1, from: 10.0.1.0/24, to: interface}",
    "",
    ["reach", "ping", "seen", "count"],
  ],
  "ospf-campus.lab.yaml": [
    "{ipv4: 10.1.2.1/30, ospf: {network: point-to-point, cost: 20}}",
    "{ipv4: 10.1.2.1/30, ospf: {network: point-to-point, cost: 20, hello_seconds: 5}}",
    ["adjacency", "rib", "ping", "path"],
  ],
  "ospf-campus-broken.lab.yaml": [", area: 2}", "}", ["adjacency", "reach", "rib"]],
  "policy-routing.lab.yaml": [
    "set nexthop 198.51.100.2 track 198.51.100.2\n          - seq 20",
    "set nexthop 192.0.2.2\n          - seq 20",
    ["seen"],
  ],
  "redundant-switches.lab.yaml": ["priority: 4096", "priority: 12288", ["path"]],
  "rip.lab.yaml": [
    "10.0.23.2/30]\n    rip: {networks: [10.0.0.0/8]}",
    "10.0.23.2/30]",
    ["reach", "path", "route"],
  ],
  "router-on-a-stick.lab.yaml": ["name: Ethernet0.20, vlan: 20", "name: Ethernet0.20, vlan: 30", ["reach"]],
  "slow-link.lab.yaml": ["delay: 200ms", "delay: 20ms", ["ping"]],
  "storm.lab.yaml": ["name: ring", "name: ring, down: true", ["loop", "count"]],
  "vxlan.lab.yaml": [
    "vni: 10010, local: 198.51.100.1",
    "vni: 10011, local: 198.51.100.1",
    ["reach", "console"],
  ],
  "vlan-trunk.lab.yaml": [
    "sw2: {type: switch, vlans: {0: 10, 1: 20,",
    "sw2: {type: switch, vlans: {0: 20, 1: 10,",
    ["reach"],
  ],
};

describe("the labs of examples/", () => {
  test("each has a point that this test takes away", () => {
    expect(FILES).toEqual(Object.keys(POINTS).toSorted());
  });

  test.each(FILES)("%s passes", (file) => {
    const report = run(file);
    expect(wrongOf(report)).toEqual([]);
    expect(report.status).toBe("passed");
  });

  const draw = drawOf(3);
  test.each(drawn(Object.entries(POINTS), draw))(
    `%s fails without its point${draw.note}`,
    (file, [text, instead, fails]) => {
      const report = run(file, (whole) => {
        expect(whole.split(text)).toHaveLength(2);
        return whole.replace(text, instead);
      });
      const kinds = report.verdicts.filter(({ status }) => status === "failed").map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining([...fails]));
    },
  );

  test.each(FILES)("%s begins with a comment that says what it teaches", (file) => {
    expect(readFileSync(join(FOLDER, file), "utf8")).toMatch(/^# \S.{40,}/);
  });
});

test("the capture of the ARP attack is what its script writes", () => {
  expect(readFileSync(join(FOLDER, "arp-spoofing.pcap"))).toEqual(capture);
});
