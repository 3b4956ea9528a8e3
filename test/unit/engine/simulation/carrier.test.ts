import type { PcState } from "@wirelab/engine/devices/pc/state";
import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import type { SwitchState } from "@wirelab/engine/devices/switch/index";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { changeLink, switchPower } from "@wirelab/engine/simulation/actions";
import type { LabLink, LinkImpairments } from "@wirelab/engine/simulation/lab";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { describe, expect, test } from "vitest";
import { LAB_START_US, LabBuilder, plan } from "../../../helpers/engine/lab-builder.ts";

const impaired = (input: object): LinkImpairments => {
  const result = parseImpairments(input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { impairments: result.impairments, sinceUs: LAB_START_US };
};
const flap = (at: string, down: string) => impaired({ schedule: [{ at, flap: { down } }] });
const S = 1e9;

const deviceState = <T>(simulation: Simulation, name: string): T =>
  simulation.nodes.get(name)!.device!.saveState() as T;

const switched = (impairments: LinkImpairments | undefined): LabBuilder =>
  new LabBuilder()
    .pc(1)
    .pc(2)
    .ethernetSwitch("SW1", 2)
    .join(["PC1", 0], ["SW1", 0], { impairments })
    .join(["PC2", 0], ["SW1", 1]);

describe("a cable that is pulled", () => {
  test("flushes the addresses that a switch has learned at the port, and those of the PC", () => {
    const macsAt = (endS: number, impairments?: LinkImpairments) => {
      const simulation = switched(impairments).simulate({ durationNs: endS * S });
      plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
      simulation.advance();
      const { macs } = deviceState<SwitchState>(simulation, "SW1");
      return {
        ports: macs.map(([, , port]) => port).sort(),
        arp: deviceState<PcState>(simulation, "PC1").arp.length,
      };
    };
    expect(macsAt(9)).toEqual({ ports: [0, 1], arp: 1 });
    expect(macsAt(9, flap("8s", "60s"))).toEqual({ ports: [1], arp: 0 });
  });

  test("loses what is sent while it is away, and nothing after", () => {
    const simulation = switched(flap("6s", "3s")).simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 8"], 5);
    simulation.advance();
    expect(session.output.match(/timeout|not reachable/g)?.length).toBeGreaterThan(0);
    expect(session.output.match(/bytes from/g)?.length).toBeGreaterThan(3);
    const counts = simulation.links.get("PC1-0-SW1-0")!.aToB.report().impairments!.counts;
    expect(counts.find(({ type }) => type === "carrier")!.dropped).toBeGreaterThan(0);
  });

  test("does not keep a run going", () => {
    const simulation = switched(flap("100s", "3s")).simulate();
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "idle" });
    expect(simulation.nowNs).toBeLessThan(100 * S);
  });
});

describe("a router at a pulled cable", () => {
  const parsed = parseRouterProperties({
    ports: [
      { ipv4: "10.0.0.254/24", dhcp: { first: "10.0.0.10", last: "10.0.0.20", lease_seconds: 86_400 } },
      { ipv4: "10.1.0.254/24" },
    ],
    routes: [{ to: "0.0.0.0/0", via: "10.0.0.1" }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const routed = (impairments?: LinkImpairments, fields: Partial<LabLink> = {}): LabBuilder =>
    new LabBuilder()
      .pc(1, "ip dhcp")
      .pc(2, "ip 10.1.0.1/24 10.1.0.254")
      .add("R1", { type: "router", name: "R1", mac: 0x0200_0000_0001, ...parsed.config })
      .join(["PC1", 0], ["R1", 0], { impairments, ...fields })
      .join(["PC2", 0], ["R1", 1]);
  const LINK = "PC1-0-R1-0";

  test("withdraws the port's routes, and restores them when the carrier is back", () => {
    const simulation = routed(flap("20s", "10s")).simulate({ durationNs: 60 * S });
    const during = plan(simulation, "R1", ["show route", "show interfaces"], 25);
    const after = plan(simulation, "R1", ["show route", "show interfaces"], 35);
    simulation.advance();
    expect(during.output).not.toContain("10.0.0.0/24");
    expect(during.output).not.toContain("0.0.0.0/0");
    expect(during.output).toContain("no carrier");
    expect(after.output).toContain("10.0.0.0/24");
    expect(after.output).toContain("0.0.0.0/0");
    expect(after.output).not.toContain("no carrier");
  });

  test("a PC verifies its lease when the carrier is back", () => {
    const requests: number[] = [];
    const simulation = routed(flap("20s", "10s")).simulate({
      durationNs: 60 * S,
      observer: {
        entered: ({ atNs, frame }) => {
          // UDP from the DHCP client's port.
          if (frame[12] === 8 && frame[13] === 0 && frame[23] === 17 && frame[35] === 68)
            requests.push(atNs / S);
        },
      },
    });
    simulation.advance();
    expect(requests.filter((atS) => atS >= 20)).toEqual([expect.closeTo(30, 0)]);
    expect(deviceState<PcState>(simulation, "PC1").ipv4.address).toBe(0x0a00_000a);
  });

  test("knows between runs that the carrier is away, and sees in a later run that it is back", () => {
    const lab = routed(impaired({ carrier: "down" }));
    const first = lab.simulate({ durationNs: S });
    first.advance();
    const state = structuredClone(first.nodes.get("R1")!.changes()!.state);
    expect(state.device).toMatchObject({ portsDown: [0] });
    const later = routed();
    const node = later.nodes.find(({ name }) => name === "R1")!;
    later.nodes[later.nodes.indexOf(node)] = { ...node, state };
    const second = new LabBuilder().simulate({ startUs: LAB_START_US + 5e6 });
    second.addNode(later.nodes.find(({ name }) => name === "R1")!);
    // Nothing but the router is loaded: it asks for the link of the port.
    later.advanceLazily(second);
    expect(deviceState<object>(second, "R1")).not.toHaveProperty("portsDown");
  });

  test("an action of the run takes the carrier, and a router that is switched on sees that it is away", () => {
    const simulation = routed().simulate({ durationNs: 30 * S });
    simulation.schedule(10 * S, changeLink(LINK, { impairments: impaired({ carrier: "down" }) }));
    simulation.schedule(12 * S, switchPower(["R1"], "reload"));
    const before = plan(simulation, "R1", ["show interfaces"], 11);
    const after = plan(simulation, "R1", ["show interfaces"], 15);
    simulation.advance();
    expect(before.output).toContain("no carrier");
    expect(after.output).toContain("no carrier");
  });
});
