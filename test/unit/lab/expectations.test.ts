import { describe, expect, test } from "vitest";
import { report, verdicts } from "./helpers.ts";

const TWO_PCS = `
  nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}
  links: [{link: pc1 -- pc2, name: wire, filters: {delay: 30}}]
  run:
    - {at: 1s, console: {pc1: ping 10.0.0.2 -c 3}, name: pings}
    - {at: 10s, down: wire, name: cut}
    - {at: 20s, up: wire, name: mended}
`;

const ROUTED = `
  nodes:
    pc1: {ip: 10.0.1.1/24, gateway: 10.0.1.254}
    pc2: {ip: 10.0.2.1/24, gateway: 10.0.2.254}
    sw1: switch
    r1: {type: router, ports: [10.0.1.254/24, 10.0.9.1/30], routes: {10.0.2.0/24: 10.0.9.2}}
    r2: {type: router, ports: [10.0.9.2/30, 10.0.2.254/24], routes: {10.0.1.0/24: 10.0.9.1, 10.7.0.0/16: [10.0.9.1, 10.0.2.9]}}
  links: [pc1 -- sw1, sw1 -- r1:0, r1:1 -- r2:0, r2:1 -- pc2]
  run: [{at: 1s, console: {pc1: ping 10.0.2.1 -c 1}}]
`;

const DHCP = `
  nodes:
    pc1: dhcp
    r1: {type: router, ports: [{ipv4: 10.0.0.254/24, dhcp: {first: 10.0.0.10, last: 10.0.0.20}}]}
  links: [pc1 -- r1]
`;

const LOOP = `
  nodes: {pc1: 10.0.0.1/24, s1: switch, s2: switch}
  links: [pc1 -- s1, s1 -- s2, s1 -- s2]
  limits: {events: 20000}
`;

const TYPES = `
  nodes:
    s1: {type: server, ip: 192.168.122.10/24, gateway: 192.168.122.1}
    way: {type: nat, internet: [{name: www.example.com}]}
    sw1: switch
  links: [s1 -- sw1:0, way -- sw1:1]
  run: [{at: 1s, console: {s1: ping 192.168.122.1}}]
`;

describe.each([
  ["TWO_PCS", TWO_PCS],
  ["ROUTED", ROUTED],
  ["DHCP", DHCP],
  ["LOOP", LOOP],
  ["TYPES", TYPES],
])("in the lab %s", (name, topology) => {
  const cases: Readonly<
    Record<string, readonly (readonly [string, "passed" | "failed" | "undecided", string])[]>
  > = {
    TWO_PCS: [
      ["reach: pc1 -> pc2", "passed", "a reply"],
      ["reach: [pc1 -> pc2, pc2 -> pc1]", "passed", "a reply"],
      ["reach: all", "passed", "a reply"],
      ["{reach: {from: pc1, to: [pc2, 10.0.0.2]}}", "passed", "a reply"],
      ["{reach: pc1 -> pc2, protocol: udp, port: 7}", "passed", "a reply"],
      ["{reach: pc1 -> pc2, protocol: tcp, port: 80}", "passed", "a reply"],
      ["{reach: pc1 -> pc2, after: cut}", "failed", "no reply"],
      ["{reach: pc1 -> pc2, at: 15s, tries: 1}", "failed", "no reply"],
      ["{not reach: pc1 -> pc2, at: 15s, tries: 1}", "passed", "no reply"],
      ["{reach: pc1 -> pc2, not: true}", "failed", "a reply after"],
      ["{reach: pc1 -> pc2, after: mended, within: 100ms}", "passed", "a reply"],
      // The wire is mended 10 s after the cut, which the probe's run has in its timeline.
      ["{reach: pc1 -> pc2, after: cut, within: 20s}", "passed", "a reply"],
      ["{reach: pc1 -> pc2, after: cut, within: 5s}", "failed", "no reply"],
      ["{reach: pc1 -> pc2, at: 2s, within: 50ms}", "failed", "a reply after 60"],
      ["ping: pc1 -> pc2", "passed", "lost 0 of 5"],
      ["{ping: pc1 -> pc2, at: 12s, count: 2, lost: 2}", "passed", "lost 2 of 2"],
      ['{ping: pc1 -> pc2, at: 12s, count: 2, lost: "< 50%"}', "failed", "lost 2 of 2"],
      [
        "{ping: pc1 -> pc2, p50: 60ms..61ms, p99: < 61, max: < 61ms, min: '>= 60', mean: 60..61, p90: < 61}",
        "passed",
        "p50 60.2ms",
      ],
      ["{ping: pc1 -> pc2, max: < 60ms}", "failed", "max 60.2ms"],
      ["{ping: pc1 -> pc2, at: 12s, max: < 60ms, count: 1}", "failed", "unknown: no reply"],
      ["{ping: pc1 -> pc2, duplicates: 0, size: 1000, interval: 100ms}", "passed", "duplicates 0"],
      ["{seen: icmp}", "passed", "6 packets, the first at"],
      ["{seen: icmp, until: 500ms}", "failed", "none"],
      ["{seen: icmp, after: pings, within: 1s}", "passed", "packets"],
      ["{seen: icmp, after: cut, within: 1s}", "failed", "none"],
      ["{never: tcp}", "passed", "0 packets"],
      ["{never: icmp, link: wire}", "failed", "6 packets"],
      ["{never: icmp, since: 5s}", "passed", "0 packets"],
      ['{count: "icmp[0] = 8", is: 3, link: wire, from: pc1}', "passed", "3 packets"],
      ['{count: "icmp[0] = 8", is: 3, link: wire, from: pc2}', "failed", "0 packets"],
      ["{count: icmp, is: '>= 6', link: pc2 -- pc1, filters: before}", "passed", "6 packets"],
      ["{arp: pc1, has: pc2}", "passed", "10.0.0.2 is 00:50:79:66:68:01"],
      ["{arp: pc1, has: 10.0.0.2, mac: '00:50:79:66:68:01'}", "passed", "10.0.0.2 is"],
      ["{arp: pc1, has: 10.0.0.2, mac: '00:50:79:66:68:02'}", "failed", "10.0.0.2 is"],
      ["{arp: pc1, has: pc2, at: 0}", "failed", "no entry among 0"],
      ["{console: pc1, contains: 84 bytes from 10.0.0.2}", "passed", "icmp_seq=3"],
      ["{console: pc1, matches: 'icmp_seq=3 ttl=64 time=60\\.\\d+ ms$'}", "passed", "icmp_seq=3"],
      ["{console: pc1, contains: icmp_seq=3, after: pings, within: 1s}", "failed", "icmp_seq=1"],
      ["{console: pc2, contains: anything}", "failed", "no output"],
      ["{filter: wire, type: delay, seen: 8}", "passed", "seen 8"],
      ["{filter: wire, type: delay, dropped: '> 0'}", "failed", "dropped 0"],
      ["{budget: wire, packets: 8, bytes: < 1k}", "passed", "packets 8, bytes"],
      ["{budget: lab, events: < 10}", "failed", "events"],
      ["no loop:", "passed", "no loop"],
      ["digest: '00'", "failed", "e"],
      ["{lease: pc1}", "failed", "no lease"],
    ],
    ROUTED: [
      ["{path: pc1 -> pc2, via: [r1, r2]}", "passed", "pc1 -> r1 -> r2 -> pc2"],
      ["{path: pc1 -> pc2, through: [sw1, r1, r2]}", "passed", "pc1 -> sw1 -> r1 -> r2 -> pc2"],
      ["{path: pc1 -> pc2, via: [r2, r1]}", "failed", "pc1 -> r1 -> r2 -> pc2"],
      ["{path: pc1 -> pc2, hops: 2}", "passed", "pc1 -> r1 -> r2 -> pc2"],
      ["{path: pc1 -> pc2, hops: < 2}", "failed", "pc1 -> r1 -> r2 -> pc2"],
      ["{path: pc1 -> 10.0.7.7, hops: 1}", "failed", "where it ended"],
      ["reach: r1 -> pc2", "passed", "a reply"],
      ["{ping: r1 -> pc2, count: 2}", "passed", "lost 0 of 2"],
      ["{mac: sw1, has: pc1, port: 0}", "passed", "00:50:79:66:68:00 on Ethernet0 (port 0), VLAN 1"],
      ["{mac: sw1, has: pc1, port: Ethernet1}", "failed", "port 0"],
      ["{mac: sw1, has: '00:50:79:66:68:00', vlan: 1}", "passed", "VLAN 1"],
      ["{mac: sw1, has: pc2}", "failed", "no entry among"],
      ["{route: r1, to: 10.0.2.0/24, via: 10.0.9.2}", "passed", "via 10.0.9.2"],
      ["{route: r1, to: 10.0.2.77, via: 10.0.9.2}", "passed", "via 10.0.9.2"],
      ["{route: r1, to: 10.0.1.0/24, via: connected}", "passed", "connected"],
      ["{route: r1, to: 10.0.3.0/24}", "failed", "no route"],
      ["{not route: r1, to: 0.0.0.0/0}", "passed", "no route"],
      [
        "{route: r2, to: 10.7.1.1, via: 10.0.2.9}",
        "passed",
        "via 10.0.9.1 at Ethernet0, via 10.0.2.9 at Ethernet1",
      ],
      ["{route: r2, to: 10.7.0.0/16, via: 10.0.9.1}", "passed", "via 10.0.9.1 at Ethernet0, via 10.0.2.9"],
      ["{route: r2, to: 10.7.0.0/16, via: 10.0.2.8}", "failed", "via 10.0.9.1 at Ethernet0, via 10.0.2.9"],
      ["{arp: r1, has: pc1}", "passed", "10.0.1.1 is"],
    ],
    TYPES: [
      ["{mac: sw1, has: s1, port: 0}", "passed", "02:57:53:00:00:00 on Ethernet0"],
      ["{mac: sw1, has: way, port: 1}", "passed", "02:57:4e:00:00:01 on Ethernet1"],
      ["{mac: sw1, has: way, port: 0}", "failed", "port 1"],
    ],
    DHCP: [
      [
        "{lease: pc1, address: 10.0.0.0/24, gateway: 10.0.0.254}",
        "passed",
        "10.0.0.10/24, gateway 10.0.0.254, from 10.0.0.254",
      ],
      ["{lease: pc1, address: 10.0.0.10}", "passed", "10.0.0.10/24"],
      ["{lease: pc1, address: 10.0.0.11}", "failed", "10.0.0.10/24"],
      ["{lease: pc1, gateway: 10.0.0.1}", "failed", "gateway 10.0.0.254"],
      ["{reach: r1 -> pc1}", "passed", "a reply"],
    ],
    LOOP: [
      ["loop: true", "passed", "packets loop through s1, s2"],
      ["no loop:", "failed", "packets loop through s1, s2"],
      [
        "reach: pc1 -> 10.0.0.9",
        "undecided",
        "the run reached its limit of events; packets loop through s1, s2",
      ],
    ],
  };

  test.each(cases[name]!)("%s is %s", (expectation, status, got) => {
    const [verdict] = verdicts(topology, `- ${expectation}`);
    expect(verdict).toMatchObject({ status, got: expect.stringContaining(got) });
  });
});

describe("a failed probe names where its packet ended", () => {
  const death = (topology: string, expectation: string) =>
    verdicts(topology, `- ${expectation}`)[0]!.evidence?.death;

  test("at a link that is down", () => {
    expect(death(TWO_PCS, "{reach: pc1 -> pc2, at: 15s, tries: 1}")).toMatchObject({
      where: "wire",
      why: "the link is down",
    });
  });

  test("at a filter", () => {
    const lab = TWO_PCS.replace("{delay: 30}", "{bpf: icmp}");
    expect(death(lab, "{reach: pc1 -> pc2, tries: 1}")).toMatchObject({
      where: "wire",
      why: "dropped by bpf",
    });
  });

  test("at a router without a route", () => {
    expect(death(ROUTED, "{reach: pc1 -> 10.0.7.7, tries: 1}")).toMatchObject({
      where: "r1",
      why: "no route",
    });
  });

  test("at a node without a gateway for the answer", () => {
    const lab = ROUTED.replace("pc2: {ip: 10.0.2.1/24, gateway: 10.0.2.254}", "pc2: 10.0.2.1/24");
    expect(death(lab, "{reach: pc1 -> pc2, tries: 1}")).toMatchObject({
      where: "pc2",
      why: "no gateway for the answer to 10.0.1.1",
    });
  });

  test("at a switch port of another VLAN", () => {
    const lab = `
      nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24, s1: {type: switch, ports: 2, vlans: {0: 10, 1: 20}}}
      links: [pc1 -- s1:0, pc2 -- s1:1]
    `;
    expect(death(lab, "{reach: pc1 -> pc2, tries: 1}")).toMatchObject({
      where: "s1",
      why: "no other port carries VLAN 10",
    });
  });

  test("at its own console, without a gateway", () => {
    expect(death(TWO_PCS, "{reach: pc1 -> 10.0.7.7}")).toMatchObject({
      where: "pc1",
      why: "its console says: No gateway found",
    });
  });

  test("at a host that nobody has", () => {
    expect(death(ROUTED, "{reach: pc1 -> 10.0.2.77, tries: 1}")).toMatchObject({
      where: "r2",
      why: "neighbour did not answer",
    });
  });

  test("with its packets", () => {
    const [verdict] = verdicts(ROUTED, "- {reach: pc1 -> 10.0.7.7, tries: 1}");
    expect(verdict!.evidence!.packets.map(({ from, to, fate }) => [from, to, fate])).toEqual([
      ["pc1", "sw1", "arrived"],
      ["sw1", "r1", "arrived; r1 discards it: no route"],
    ]);
  });
});

describe("a lab", () => {
  test("has the same digest with and without probes", () => {
    const plain = report(TWO_PCS).digest;
    expect(report(`${TWO_PCS}\n  expect: [reach: pc1 -> pc2, {ping: pc2 -> pc1, at: 2s}]`).digest).toBe(
      plain,
    );
  });

  test("has the same report each time, and another with another seed", () => {
    const lossy = TWO_PCS.replace("delay: 30", "packet_loss: 50").replace("-c 3", "-c 50");
    expect(report(lossy)).toEqual(report(lossy));
    expect(report(lossy, "7").digest).not.toBe(report(lossy, "8").digest);
  });

  test("boots before the timeline: a probe at 0 finds the addresses", () => {
    expect(verdicts(TWO_PCS, "- {reach: pc1 -> pc2, at: 0, tries: 1}")[0]!.status).toBe("passed");
  });

  test("reports transcripts and the links' counts", () => {
    const { transcripts, links, labSeconds, bootSeconds } = report(TWO_PCS);
    expect(transcripts).toMatchObject([{ node: "pc1", at: 1, status: "done" }]);
    expect(links).toMatchObject([
      { link: "wire", from: "pc1", to: "pc2", entered: 4, delivered: 4 },
      { link: "wire", from: "pc2", to: "pc1", entered: 4, delivered: 4 },
    ]);
    expect([labSeconds, bootSeconds]).toEqual([20, 3]);
  });

  test("lasts as long as `duration` says", () => {
    expect(report(`duration: 60s\n${TWO_PCS.replaceAll(/^ {2}/gm, "")}`).labSeconds).toBe(60);
  });

  test("says that a node which is off cannot be probed from", () => {
    const lab = "nodes: {pc1: {ip: 10.0.0.1/24, started: false}, pc2: 10.0.0.2/24}\nlinks: [pc1 -- pc2]";
    const all = verdicts(lab, "- reach: pc1 -> pc2\n- {ping: pc1 -> pc2}\n- {reach: pc2 -> pc1, tries: 1}");
    expect(all.map(({ got }) => got)).toEqual(["pc1 is off", "pc1 is off", "no reply"]);
  });

  test("starts, stops and reloads nodes, changes filters, and replays at their times", () => {
    const lab = `
      nodes: {pc1: {ip: 10.0.0.1/24, started: false}, pc2: 10.0.0.2/24}
      links: [{link: pc1 -- pc2, name: wire}]
      run:
        - {at: 1s, start: pc1}
        - {at: 10s, filters: {wire: {packet_loss: 100}}}
        - {at: 20s, filters: {wire: null}}
        - {at: 30s, stop: pc2}
        - {at: 40s, start: pc2}
        - {at: 50s, suspend: pc2}
        - {at: 60s, start: pc2}
        - {at: 70s, reload: pc2}
    `;
    const at = [5, 11, 21, 31, 45, 51, 61, 69].map(
      (second) => `- {reach: pc1 -> pc2, at: ${second}s, tries: 1}`,
    );
    expect(verdicts(lab, at.join("\n")).map(({ status }) => status === "passed")).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });
});

describe("an answer that is late", () => {
  const deathOf = (delay: string, expectation: string) =>
    report(`
      nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}
      links: [{link: pc1 -- pc2, name: wire, filters: {delay: ${delay}}}]
      expect: [${expectation}]
    `).verdicts[0]!;

  test.each([
    ["reach: pc1 -> pc2", "no reply"],
    ["{reach: pc1 -> pc2, tries: 1}", "no reply"],
    ["{ping: pc1 -> pc2, count: 2, lost: 0}", "lost 2 of 2"],
  ])("is reported as late, with the time that it took: %s", (expectation, got) => {
    const verdict = deathOf("600ms", expectation);
    expect(verdict).toMatchObject({ status: "failed", got });
    expect(verdict.evidence?.death).toMatchObject({
      where: "pc1",
      why: expect.stringMatching(
        /^got the answer late: 1\.200\d*s after it sent the packet; it waits for 1s$/,
      ),
    });
    expect(verdict.evidence?.packets.at(-1)?.fate).toBe("arrived");
  });
});

test("what devices know is looked at when the time of the expectation ends", () => {
  const topology = `
    nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24, sw1: switch}
    links: [pc1 -- sw1:0, pc2 -- sw1:1]
    run:
      - {at: 5s, name: talk, console: {pc2: ping 10.0.0.1 -c 1}}
    duration: 20s`;
  const moments = [
    "{arp: pc1, has: pc2, at: 1s}",
    "{arp: pc1, has: pc2, at: 1s, within: 3s}",
    "{arp: pc1, has: pc2, at: 1s, within: 6s}",
    "{arp: pc1, has: pc2, after: talk, within: 2s}",
  ];
  expect(
    verdicts(topology, moments.map((each) => `- ${each}`).join("\n")).map(({ status }) => status),
  ).toEqual(["failed", "failed", "passed", "passed"]);
});
