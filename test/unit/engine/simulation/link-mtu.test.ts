/** The MTU of a link that routers and PCs see: errors of RFC 1191 and RFC 8201, and fragments. */
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import type { LinkImpairments } from "@wirelab/engine/simulation/lab";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { describe, expect, test } from "vitest";
import { LAB_START_US, LabBuilder, makeSimulation, plan } from "../../../helpers/engine/lab-builder.ts";
import { specOf } from "../devices/router/probe.ts";

const LINK = "R1-1-PC2-0";
const FAR6 = "2001:db8:2::10";

const impaired = (input: object): LinkImpairments => {
  const result = parseImpairments(input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { impairments: result.impairments, sinceUs: LAB_START_US };
};

/** PC1 - R1 - PC2, where the second link has impairments. */
const makeLab = (input: object): LabBuilder => {
  const lab = new LabBuilder();
  for (const n of [1, 2])
    lab.add(`PC${n}`, {
      type: "vpcs",
      name: `PC${n}`,
      index: n,
      startupScript: `ip 10.0.${n}.10/24 10.0.${n}.1\nip 2001:db8:${n}::10/64`,
    });
  return lab
    .add(
      "R1",
      specOf({ ports: [1, 2].map((n) => ({ ipv4: `10.0.${n}.1/24`, ipv6: `2001:db8:${n}::1/64` })) }),
    )
    .join(["PC1", 0], ["R1", 0])
    .join(["R1", 1], ["PC2", 0], { impairments: impaired(input) });
};
const seen = (bytes: number, direction = "both"): object => ({
  [direction]: { mtu: { bytes, larger: "icmp" } },
});

const sizes: number[] = [];
function run(lab: LabBuilder, node: string, lines: readonly string[]) {
  sizes.length = 0;
  const simulation = lab.simulate({
    durationNs: 60e9,
    observer: {
      entered({ line, frame }) {
        if (line.link.id === LINK && frame.length > 120) sizes.push(frame.length - 14);
      },
    },
  });
  const session = plan(simulation, node, [...lines], 10);
  simulation.advance();
  return { simulation, output: session.output.replaceAll(/time=[\d.]+/g, "time=T") };
}
const droppedBy = (simulation: Simulation, name: string): number | undefined =>
  simulation.links
    .get(LINK)!
    .aToB.report()
    .impairments?.counts.find(({ type }) => type === name)?.dropped;

describe("a router whose link has an MTU", () => {
  test("answers a longer packet with DF with an error that has the MTU, and the sender learns it", () => {
    const { simulation, output } = run(makeLab(seen(1400)), "PC1", [
      "ping 10.0.2.10 -D -l 1472 -c 2",
      "show mtu",
    ]);
    expect(output).toContain(
      "*10.0.1.1 icmp_seq=1 ttl=255 time=T ms (ICMP type:3, code:4, Fragmentation required, and DF flag set)",
    );
    expect(output).toContain("icmp_seq=2 not sent: -D forbids fragments, the path MTU is 1400");
    expect(output).toMatch(/ 1400\t\d+\t10\.0\.2\.10/);
    expect(sizes).toEqual([]);
    // The link has not seen the packet: the router did not send it.
    expect(droppedBy(simulation, "mtu")).toBe(0);
  });

  test("passes packets up to the MTU", () => {
    expect(run(makeLab(seen(1400)), "PC1", ["ping 10.0.2.10 -D -l 1372 -c 1"]).output).toContain(
      "1400 bytes from 10.0.2.10",
    );
    expect(sizes).toEqual([1400, 1400]);
  });

  test("cuts a packet without DF into fragments", () => {
    const { output } = run(makeLab(seen(1400)), "PC1", ["ping 10.0.2.10 -l 1472 -c 1"]);
    expect(output).toContain("1500 bytes from 10.0.2.10");
    // Both directions: PC2's port sees the MTU, too. 1376 is the most of 8-byte units in 1400 - 20.
    expect(sizes).toEqual([1396, 124, 1396, 124]);
  });

  test("reports a longer IPv6 packet, which the sender then cuts itself", () => {
    const { output } = run(makeLab(seen(1400)), "PC1", [`ping ${FAR6} -l 1452 -c 1`, "show mtu6"]);
    expect(output).toMatch(/\*2001:db8:1::1 icmp6_seq=1 ttl=255 time=T ms \(new MTU 1400\)/);
    expect(output).toContain(`${FAR6} icmp6_seq=1 ttl=63`);
    expect(output).toMatch(/ 1400\t\d+\t2001:db8:2::10/);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1400);
  });

  test("counts the packet as too big, and not as forwarded or sent", () => {
    const { simulation, output } = run(makeLab(seen(1400)), "R1", [
      "ping 10.0.2.10 -s 1472 -D -c 1",
      "show counters",
      "ping 10.0.2.10 -c 1",
    ]);
    expect(output).toContain("fragmentation needed, MTU 1400");
    expect(output).toContain("Dropped, too big for the next link: 1");
    expect(simulation.links.get(LINK)!.aToB.enteredPackets).toBeGreaterThan(0);
  });

  test("does not see it in the other direction, or without `icmp`: the link drops", () => {
    const lost = run(makeLab({ a_to_b: { mtu: 1400 } }), "PC1", ["ping 10.0.2.10 -D -l 1472 -c 1"]);
    expect(lost.output).toContain("icmp_seq=1 timeout");
    expect(droppedBy(lost.simulation, "mtu")).toBe(1);
    const other = run(makeLab(seen(1400, "b_to_a")), "PC1", ["ping 10.0.2.10 -l 1472 -c 1"]);
    expect(other.output).toContain("1500 bytes from");
    expect(sizes).toEqual([1500, 1396, 124]);
  });

  test("sees it change with the schedule", () => {
    const schedule = [{ at: "20s", set: seen(1400) }];
    const { output } = run(makeLab({ schedule }), "PC1", [
      "ping 10.0.2.10 -D -l 1472 -c 2 -i 15000 -w 20000",
    ]);
    expect(output).toContain("1500 bytes from 10.0.2.10 icmp_seq=1");
    expect(output).toContain("icmp_seq=2 ttl=255 time=T ms (ICMP type:3, code:4");
  });

  test("gives the same bytes when the link joins the run later", () => {
    const lab = makeLab(seen(1400));
    const digest = (isLazy: boolean): string => {
      const simulation = isLazy ? makeSimulation({ durationNs: 30e9 }) : lab.simulate({ durationNs: 30e9 });
      if (isLazy) for (const node of lab.nodes) simulation.addNode(node);
      plan(simulation, "PC1", ["ping 10.0.2.10 -l 3000 -c 2", `ping ${FAR6} -l 1452 -c 1`], 10);
      lab.advanceLazily(simulation);
      return simulation.digest;
    };
    expect(digest(true)).toBe(digest(false));
  });
});

describe("a PC whose link has an MTU", () => {
  test("cuts what it may cut, also fragments, and reports what it may not", () => {
    const { output } = run(makeLab(seen(1000)), "PC2", [
      "ping 10.0.1.10 -l 2000 -c 1",
      "ping 10.0.1.10 -D -l 1200 -c 2",
    ]);
    expect(output).toContain("2028 bytes from 10.0.1.10");
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    expect(output).toMatch(/\*10\.0\.2\.10 icmp_seq=1 ttl=\d+ time=T ms \(ICMP type:3, code:4/);
    expect(output).toContain("icmp_seq=2 not sent: -D forbids fragments, the path MTU is 1000");
  });

  test("cuts its answers to echo requests, also those with DF", () => {
    const { output } = run(makeLab(seen(1400, "b_to_a")), "PC1", [
      "ping 10.0.2.10 -D -l 1472 -c 1",
      `ping ${FAR6} -l 1452 -c 1`,
    ]);
    expect(output).toContain("1500 bytes from 10.0.2.10 icmp_seq=1");
    expect(output).toContain(`${FAR6} icmp6_seq=1 ttl=63`);
    expect(sizes).toEqual([1500, 1396, 124, 1500, 1400, 156]);
  });

  test("learns it for IPv6 and sends the packet again in fragments", () => {
    const { output } = run(makeLab(seen(1400, "b_to_a")), "PC2", ["ping 2001:db8:1::10 -l 1452 -c 1"]);
    expect(output).toContain("(new MTU 1400)");
    expect(output).toContain("2001:db8:1::10 icmp6_seq=1 ttl=63");
  });
});

test("a switch does not see it: the link drops", () => {
  const lab = new LabBuilder()
    .pc(1)
    .pc(2)
    .ethernetSwitch("SW", 2)
    .join(["PC1", 0], ["SW", 0])
    .join(["SW", 1], ["PC2", 0], { impairments: impaired(seen(1000)) });
  const simulation = lab.simulate({ durationNs: 30e9 });
  const session = plan(simulation, "PC1", ["ping 10.0.0.2 -l 1200 -c 1"], 10);
  simulation.advance();
  expect(session.output).toContain("icmp_seq=1 timeout");
  const { counts } = simulation.links.get("SW-1-PC2-0")!.aToB.report().impairments!;
  expect(counts.find(({ type }) => type === "mtu")?.dropped).toBe(1);
});
