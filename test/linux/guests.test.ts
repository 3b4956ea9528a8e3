/** Labs with real Linux guests: Debian's kernel and daemons in virtual time, beside simulated devices. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { describe, expect } from "vitest";
import { makeGuests } from "../../packages/wirelab/guests.ts";
import { type LabReport, loadLabFile, runLab } from "../../packages/wirelab/index.ts";
import { loadLabFile as loadWith } from "../../packages/wirelab/load-lab-file.ts";
import { drawnTest } from "../helpers/cases/drawn-test.ts";
import { pinnedDigest } from "./pinned-digests.ts";

const EXAMPLES = new URL("../../examples/linux/", import.meta.url).pathname;
const hasImage = (name: string) => readFacts(imagesFolder(cacheFolder(process.env)), name) !== undefined;

/** Daemons that find ways, other daemons, and devices beside guests: a run takes some of each. */
const [testRouting, testDaemon, testDevices] = [drawnTest(4), drawnTest(3), drawnTest(2)];

const play = (file: string): LabReport => runLab(loadLabFile(file));

function playText(text: string): LabReport {
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-linux-")), "lab.yaml");
  writeFileSync(file, text);
  return play(file);
}

const passes = (report: LabReport): void => {
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
  expect(report.status).toBe("passed");
};

/** Plays a lab of the examples, whose bytes are known if the images are those of the table. */
function playExample(name: string): LabReport {
  const report = play(join(EXAMPLES, `${name}.lab.yaml`));
  passes(report);
  const pinned = pinnedDigest(name);
  if (pinned === undefined)
    console.warn(`${name}: the images have other packages, so its digest is not compared`);
  else expect(report.digest).toBe(pinned);
  return report;
}

describe.skipIf(!hasImage("bird"))(
  "guests with BIRD (skipped without the image: wirelab image build bird)",
  () => {
    testRouting(
      "two routers find a way by OSPF, and guests that compute one after another give the same bytes",
      () => {
        const { digest } = playExample("ospf-bird");
        const file = join(EXAMPLES, "ospf-bird.lab.yaml");
        expect(runLab(loadWith(file, makeGuests(false))).digest).toBe(digest);
      },
    );

    testDevices("a guest and the simulated devices answer each other", () => {
      const report = playText(`
nodes:
  h1: { type: linux, image: bird, ports: [[10.0.0.1/24, "fd00::1/64"]], commands: [ip route add default via 10.0.0.254] }
  pc1: { ip: [10.0.0.2/24, "fd00::2/64"], gateway: 10.0.0.254 }
  far: { ip: 10.9.0.2/24, gateway: 10.9.0.254 }
  sw1: switch
  gw: { type: router, ports: [10.0.0.254/24, 10.9.0.254/24] }
links: [h1 -- sw1, pc1 -- sw1, gw:0 -- sw1, gw:1 -- far]
run:
  - { at: 1s, console: { h1: ["ping -c 2 10.9.0.2", "ping -c 1 fd00::2", "traceroute -n -q 1 10.9.0.2", "ip neigh show 10.0.0.254", "ip -V"] } }
duration: 20s
expect:
  - { ping: pc1 -> h1, lost: 0 }
  - { ping: h1 -> far, lost: 0 }
  - { path: h1 -> far, via: [gw] }
  - { console: h1, contains: "2 packets transmitted, 2 packets received" }
  - { console: h1, contains: "1 packets transmitted, 1 packets received" }
  - { console: h1, contains: " 1  10.0.0.254" }
  - { console: h1, contains: " 2  10.9.0.2" }
  - { console: h1, contains: "lladdr 02:57:4c" }
  - { console: h1, contains: "ip utility, iproute2" }
`);
      passes(report);
    });

    testDevices("a power cycle gives a fresh guest", () => {
      const report = playText(`
nodes:
  h1: { type: linux, image: bird, ports: [10.0.0.1/24] }
  pc1: 10.0.0.2/24
links: [h1 -- pc1]
run:
  - { at: 1s, console: { h1: [echo before > /root/file, cat /root/file] } }
  - { at: 2s, stop: h1 }
  - { at: 3s, start: h1 }
  - { at: 8s, console: { h1: [ls /root] } }
duration: 10s
expect:
  - { ping: pc1 -> h1, lost: 0 }
`);
      passes(report);
      expect(report.transcripts.map(({ output }) => output).join("")).toContain("before");
      expect(report.transcripts.at(-1)!.output).not.toContain("file");
    });
  },
);

describe.skipIf(!hasImage("debian"))(
  "guests with Debian's tools (skipped without the image: wirelab image build debian)",
  () => {
    testDaemon("keepalived moves an address when its router is switched off", () => {
      playExample("vrrp");
    });

    testDevices("nftables translates addresses and forwards a port", () => {
      playExample("nat");
    });

    testDaemon("TCP brings every byte over a link that loses packets", () => {
      playExample("tcp-loss");
    });

    testDevices("Linux takes leases, prefixes and errors of the simulated router", () => {
      const report = playText(`
nodes:
  gw:
    type: router
    ports:
      - { ipv4: 10.0.0.1/24, ipv6: "2001:db8::1/64", dhcp: { first: 10.0.0.100, last: 10.0.0.199 } }
      - 10.9.0.1/24
  h:
    type: linux
    ports: 1
    files:
      root/bound: |
        #!/bin/sh
        [ "$1" = bound ] || exit 0
        ip addr add $ip/$mask dev $interface
        ip route add default via $router
        echo "$ip of $serverid" > /root/lease
    commands:
      - chmod +x /root/bound
      - echo 0 > /proc/sys/net/ipv6/conf/eth0/forwarding
      - udhcpc -i eth0 -n -q -s /root/bound
  far: { ip: 10.9.0.2/24, gateway: 10.9.0.1 }
links: [h -- gw:0, gw:1 -- far]
run:
  - at: 8s
    console:
      h: [cat /root/lease, ip -6 addr show dev eth0, ip -6 route show default, traceroute -n -q 1 10.9.0.2]
duration: 15s
expect:
  - { console: h, contains: 10.0.0.100 of 10.0.0.1 }
  - { console: h, matches: "inet6 2001:db8::57:4cff:fe80:[0-9a-f]+/64 scope global dynamic" }
  - { console: h, contains: "default via fe80::57:4cff:fe00:0 dev eth0" }
  - { console: h, contains: " 1  10.0.0.1" }
  - { console: h, contains: " 2  10.9.0.2" }
`);
      passes(report);
    });

    testDaemon(
      "a guest that floods, fills its memory, computes without end and sets its clock harms only itself",
      () => {
        const report = playText(`
nodes:
  h: { type: linux, ports: [10.0.0.1/24] }
  pc1: 10.0.0.2/24
  pc2: 10.0.0.3/24
  sw: switch
links: [h -- sw, pc1 -- sw, pc2 -- sw]
run:
  - at: 1s
    console:
      h:
        - date -s "2040-01-01 00:00"
        - dd if=/dev/zero of=/tmp/full bs=1M count=300; echo "filled $?"
        - (while :; do :; done) & sleep 0.2; kill $!
        - ping -q -A -c 500 10.0.0.2 | tail -2; echo "flooded $?"
duration: 8s
expect:
  - { console: h, contains: filled 1 }
  - { console: h, contains: flooded }
  - { ping: pc1 -> pc2, at: 6s, lost: 0 }
`);
        passes(report);
        expect(report.verdicts).toHaveLength(3);
      },
    );
  },
);

describe.skipIf(!hasImage("frr") || !hasImage("bird"))(
  "guests with FRR and BIRD (skipped without their images)",
  () => {
    testRouting("exchange their networks by BGP", () => {
      playExample("ebgp");
    });
  },
);

describe.skipIf(!hasImage("frr"))(
  "guests with FRR (skipped without the image: wirelab image build frr)",
  () => {
    testRouting("three routers in a row converge by OSPF", () => {
      playExample("ospf-frr");
    });

    testRouting("a containerlab topology with FRR runs as it is", () => {
      const report = play(join(EXAMPLES, "triangle/triangle.clab.yml"));
      passes(report);
      expect(report.verdicts.map(({ kind }) => kind)).toContain("reach");
    });
  },
);
