import { CaptureTap } from "@wirelab/engine/link/capture-tap";
import { encodeCaptureHeader, readCapture } from "@wirelab/engine/pcap/index";
import { changeLink, sendFrames, switchPower } from "@wirelab/engine/simulation/actions";
import type { LabNode } from "@wirelab/engine/simulation/lab";
import { type Simulation, toNs } from "@wirelab/engine/simulation/simulation";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMPLE, LabBuilder, makeSimulation, plan } from "../../../helpers/engine/lab-builder.ts";

const pair = (fields = {}): LabBuilder => new LabBuilder().pc(1).pc(2).join(["PC1", 0], ["PC2", 0], fields);
const star = (): LabBuilder => {
  const lab = new LabBuilder().ethernetSwitch("SW1", 8);
  for (let index = 1; index <= 4; index++) lab.pc(index).join([`PC${index}`, 0], ["SW1", index]);
  return lab;
};
const answered = (output: string): number => output.match(/bytes from/g)?.length ?? 0;
const filters = (settings: object) => ({ filters: { settings, bpfPredicates: [] } });

describe("a run", () => {
  test("ends when no events are left, with all commands done", () => {
    const simulation = pair().simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 3"], 5);
    expect(simulation.advance()).toBeUndefined();
    expect(simulation.stopped).toEqual({ reason: "idle" });
    expect(answered(session.output)).toBe(3);
    expect(session.status).toBe("done");
  });

  test("lasts for its duration, with no events and with many", () => {
    for (const command of ["show", "ping 10.0.0.2 -t"]) {
      const simulation = pair().simulate({ durationNs: toNs(9.5) });
      const session = plan(simulation, "PC1", [command], 5);
      simulation.advance();
      expect(simulation.stopped).toEqual({ reason: "duration" });
      expect(simulation.nowNs).toBe(toNs(9.5));
      expect(session.status).toBe(command === "show" ? "done" : "interrupted");
    }
  });

  test("pauses before the first event after a time, and continues to the same bytes", () => {
    const [whole, inParts] = [0, 1].map(() => pair().simulate());
    const sessions = [whole!, inParts!].map((each) => plan(each, "PC1", ["ping 10.0.0.2 -c 3"], 5));
    whole!.advance();
    for (let untilNs = 0; inParts!.advance(untilNs); untilNs += toNs(0.7)) {
      expect(inParts!.nowNs).toBeLessThanOrEqual(untilNs);
      expect(inParts!.nextNs).toBeGreaterThan(untilNs);
    }
    expect(inParts!.stopped).toEqual({ reason: "idle" });
    expect(inParts!.digest).toBe(whole!.digest);
    expect(sessions[1]!.output).toBe(sessions[0]!.output);
  });

  test.each([
    ["events", { events: 50 }],
    ["packets", { packets: 20 }],
    ["output_characters", { outputCharacters: 300 }],
    ["lab_seconds", { labSeconds: 20 }],
  ] as const)("ends at the limit of %s and says so", (limit, limits) => {
    const simulation = pair().simulate({ limits: { ...AMPLE, ...limits } });
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -t"], 5);
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit });
    expect(session.status).toBe("interrupted");
    expect(session.output).toContain("icmp_seq=1");
  });

  test("ends at the end of its duration", () => {
    let asked = 0;
    const simulation = pair().simulate({ isOutOfTime: () => ++asked > 2 });
    plan(simulation, "PC1", ["ping 10.0.0.2 -t"], 5);
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "cpu_seconds" });
  });
});

test("a run with pauses equals one without", () => {
  const run = (isPaused: () => boolean) => {
    const simulation = pair().simulate({ isPaused });
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 2000"], 5);
    let pauses = 0;
    for (let missing = simulation.advance(); missing; missing = simulation.advance()) {
      expect(missing).toEqual({ nodes: [], links: [] });
      pauses += 1;
    }
    return { pauses, digest: simulation.digest, output: session.output };
  };
  const { pauses, ...paused } = run(() => true);
  expect(pauses).toBeGreaterThan(2);
  expect(run(() => false)).toEqual({ pauses: 0, ...paused });
});

test("the clock is polled as often as the caller wants, and the run is the same", () => {
  const run = (clockEvery: number | undefined) => {
    const simulation = pair().simulate({ isPaused: () => true, clockEvery });
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 300"], 5);
    let pauses = 0;
    while (simulation.advance()) pauses += 1;
    return { pauses, digest: simulation.digest };
  };
  const [often, seldom] = [run(16), run(undefined)];
  expect(often.pauses).toBeGreaterThan(30 * seldom.pauses);
  expect(often.digest).toBe(seldom.digest);
});

test("the bytes in flight are limited, and a run that exceeds the limit ends", () => {
  const simulation = pair().simulate({ limits: { ...AMPLE, bytesInFlight: 1_000 } });
  const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 3", "ping 10.0.0.2 -l 1000 -c 3"], 5);
  simulation.advance();
  expect(simulation.stopped).toEqual({ reason: "limit", limit: "bytes_in_flight" });
  expect(session.status).toBe("interrupted");
  expect(answered(session.output)).toBe(3);
});

describe("consoles", () => {
  test("of one node run in sequence, each with its own transcript", () => {
    const simulation = pair().simulate();
    const first = plan(simulation, "PC1", ["ping 10.0.0.2 -c 3"], 5);
    const second = plan(simulation, "PC1", ["show ip"], 6.5);
    simulation.advance();
    expect(answered(first.output)).toBe(3);
    expect(first.output.endsWith("\n\nPC1> ")).toBe(true);
    expect(second.output).toMatch(/^PC1> show ip\n[\s\S]*MTU {9}: 1500\n\nPC1> $/);
    expect(second.startedNs).toBe(first.endedNs);
  });

  test("are checked between two commands: a flood of text cannot pass its limit", () => {
    const simulation = pair().simulate({ limits: { ...AMPLE, outputCharacters: 2_000 } });
    const session = plan(
      simulation,
      "PC1",
      Array.from({ length: 100 }, () => "show ip"),
      5,
    );
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "output_characters" });
    expect(session.output.length).toBeLessThan(3_000);
  });
});

describe("links", () => {
  test("all frames that enter are delivered, dropped, or in flight at the end", () => {
    fc.assert(
      fc.property(
        fc.record({
          packet_loss: fc.tuple(fc.integer({ min: 1, max: 60 })),
          delay: fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 400 })),
        }),
        fc.integer({ min: 5, max: 12 }),
        (settings, seconds) => {
          const simulation = pair(filters(settings)).simulate({ durationNs: toNs(seconds + 0.123) });
          plan(simulation, "PC1", ["ping 10.0.0.2 -c 20 -i 50 -w 100"], 3.5);
          simulation.advance();
          const [link] = [...simulation.links.values()];
          for (const line of [link!.aToB, link!.bToA]) {
            const { entered, delivered, dropped, underWay } = line.report();
            expect(delivered.packets + dropped.packets + underWay.packets).toBe(entered.packets);
            expect(delivered.bytes + dropped.bytes + underWay.bytes).toBe(entered.bytes);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a delay appears in the percentiles and in the round trips", () => {
    const simulation = pair(filters({ delay: [40] })).simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 2"], 5);
    simulation.advance();
    expect(session.output).toContain("time=80.200 ms");
    const { delayMs } = [...simulation.links.values()][0]!.aToB.report();
    expect(delayMs).toMatchObject({ min: 40, p50: 40, max: 40 });
  });

  test("a change in the middle keeps the counts of the filters before it", () => {
    const simulation = pair(filters({ packet_loss: [100] })).simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 2"], 5);
    simulation.schedule(toNs(6.5), changeLink("PC1-0-PC2-0", filters({})));
    simulation.advance();
    expect(answered(session.output)).toBe(2);
    const { filters: counts, dropped } = [...simulation.links.values()][0]!.aToB.report();
    expect(counts).toMatchObject([{ type: "packet_loss", dropped: dropped.packets }]);
    expect(dropped.packets).toBeGreaterThan(2);
  });

  test("a capture contains the delivered frames of both directions in time order", () => {
    const lab = pair({
      ...filters({ delay: [20, 15] }),
      tap: { settings: { tap: "after" }, soFar: { packets: 0, bytes: 0 } },
    });
    const taps: CaptureTap[] = [];
    const simulation = lab.simulate({
      makeTap: ({ tap }) => {
        if (tap === undefined) return undefined;
        taps.push(new CaptureTap(tap.settings, tap.soFar));
        return taps[0];
      },
    });
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 9 -i 10"], 5);
    plan(simulation, "PC2", ["ping 10.0.0.1 -c 9 -i 10"], 5);
    simulation.advance();
    const [link] = [...simulation.links.values()];
    const delivered = link!.aToB.report().delivered.packets + link!.bToA.report().delivered.packets;
    const records = taps[0]!.encode({ seconds: 1_767_225_600, nanoseconds: 0 });
    const file = readCapture(Buffer.concat([encodeCaptureHeader({ linkType: 1 }), records]));
    const times = file.frames.map(({ seconds, nanoseconds }) => seconds * 1e9 + nanoseconds);
    expect(file.frames).toHaveLength(delivered);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe("determinism", () => {
  const story = (simulation: Simulation) => {
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 3"], 5);
    // A UDP ping draws its port.
    plan(simulation, "PC3", ["ping 10.0.0.4 -c 3 -2", "show arp"], 5);
    return simulation;
  };
  const result = (simulation: Simulation) => ({
    digest: simulation.digest,
    outputs: simulation.sessions.map(({ output }) => output),
    events: simulation.events,
  });

  test("a run does not depend on which nodes are added early", () => {
    const lab = star();
    const whole = story(lab.simulate());
    whole.advance();
    // Both runs start all nodes at the same time.
    const lazy = makeSimulation();
    for (const node of lab.nodes) lazy.addNode(node);
    lab.advanceLazily(story(lazy));
    expect(result(lazy)).toEqual(result(whole));
  });

  test("a node is requested only when an event involves it", () => {
    const lab = pair();
    for (let index = 3; index <= 6; index += 2) {
      lab
        .pc(index)
        .pc(index + 1)
        .join([`PC${index}`, 0], [`PC${index + 1}`, 0]);
    }
    const simulation = makeSimulation();
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    lab.advanceLazily(simulation);
    expect([...simulation.nodes.keys()]).toEqual(["PC1", "PC2"]);
  });

  test("equal seeds give equal digests, different seeds different ones", () => {
    const run = (seed: string) => {
      const simulation = story(star().simulate({ seed }));
      simulation.advance();
      return simulation.digest;
    };
    expect(run("a")).toBe(run("a"));
    expect(run("a")).not.toBe(run("b"));
  });
});

describe("power", () => {
  test("a node that is off receives nothing; switched on, it boots", () => {
    const simulation = pair().simulate();
    simulation.schedule(toNs(4), switchPower(["PC2"], "stop"));
    simulation.schedule(toNs(20), switchPower(["PC2"], "start"));
    const before = plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    const after = plan(simulation, "PC1", ["clear arp", "ping 10.0.0.2 -c 1"], 30);
    simulation.advance();
    expect(before.output).toContain("not reachable");
    expect(answered(after.output)).toBe(1);
  });

  test("a suspended node continues where it stopped", () => {
    const simulation = pair().simulate();
    simulation.schedule(toNs(6.5), switchPower(["PC1"], "suspend"));
    simulation.schedule(toNs(60), switchPower(["PC1"], "start"));
    const other = plan(simulation, "PC2", ["ping 10.0.0.1 -c 4"], 5);
    simulation.advance();
    expect(answered(other.output)).toBe(2);
    expect(simulation.nodes.get("PC1")!.status).toBe("started");
  });

  test("the console session of a node that is switched off ends", () => {
    const simulation = pair().simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -t"], 5);
    simulation.schedule(toNs(8), switchPower(["PC1"], "stop"));
    const late = plan(simulation, "PC1", ["show"], 9);
    simulation.advance();
    expect(session.status).toBe("off");
    expect(late).toMatchObject({ status: "off", output: "" });
  });
});

describe("state between runs", () => {
  /** The nodes with the state that a run left. */
  const carryOver = (lab: LabBuilder, simulation: Simulation): LabNode[] =>
    lab.nodes.map((node) => {
      const changes = simulation.nodes.get(node.id)?.changes();
      return changes ? { ...node, ...(JSON.parse(JSON.stringify(changes)) as typeof changes) } : node;
    });

  test("a second run continues where the first one ended", () => {
    const lab = star();
    const first = lab.simulate();
    plan(first, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    first.advance();
    const second = makeSimulation({ startUs: 1_767_225_600_000_000 + 20_000_000 });
    for (const node of carryOver(lab, first)) second.addNode(node);
    for (const link of lab.links) second.addLink(link);
    const session = plan(second, "PC2", ["show arp", "ping 10.0.0.1 -c 1"]);
    second.advance();
    expect(session.output).toContain("00:50:79:66:68:01  10.0.0.1 expires in");
    expect(answered(session.output)).toBe(1);
    // No node sent an ARP request again, so no other node received a frame.
    expect(second.nodes.get("PC3")!.changes()).toBeUndefined();
  });

  test("a node that only received frames for others has not changed", () => {
    const lab = star();
    const first = lab.simulate();
    first.advance();
    const second = makeSimulation({ startUs: 1_767_225_600_000_000 + 200_000_000 });
    for (const node of carryOver(lab, first)) second.addNode(node);
    for (const link of lab.links) second.addLink(link);
    plan(second, "PC1", ["ping 10.0.0.2 -c 1"]);
    second.advance();
    expect(second.nodes.get("PC1")!.changes()).toBeDefined();
    expect(second.nodes.get("PC4")!.changes()).toBeUndefined();
  });
});

describe("a storm", () => {
  test("of switches in a ring ends at the limit, and the report names the ring, not the branch", () => {
    const lab = new LabBuilder().pc(1, "");
    for (const name of ["A", "B", "C", "D"]) lab.ethernetSwitch(name, 4);
    lab.join(["A", 0], ["B", 1]).join(["B", 0], ["C", 1]).join(["C", 0], ["A", 1]);
    lab.join(["C", 2], ["D", 0]).join(["PC1", 0], ["A", 3]);
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 20_000 } });
    plan(simulation, "PC1", ["ip 10.0.0.1/24"]);
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.loop?.toSorted()).toEqual(["A", "B", "C"]);
  });

  test("is not reported if a link of the ring is suspended and there are only many broadcasts", () => {
    const lab = new LabBuilder().pc(1, "");
    for (const name of ["A", "B", "C"]) lab.ethernetSwitch(name, 4);
    lab.join(["A", 0], ["B", 1]).join(["B", 0], ["C", 1]).join(["PC1", 0], ["A", 3]);
    lab.join(["C", 0], ["A", 1], { suspended: true });
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 300 } });
    const toAll = new Uint8Array(64).fill(0xff, 0, 6);
    const frames = Array.from({ length: 1_000 }, (_, i) => ({ offsetNs: i * 1_000_000, data: toAll }));
    simulation.schedule(0, sendFrames("PC1", 0, frames));
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.loop).toBeUndefined();
  });

  test("is not reported for a run that is only long", () => {
    const simulation = star().simulate({ limits: { ...AMPLE, events: 200 } });
    plan(simulation, "PC1", ["ping 10.0.0.2 -t"], 5);
    simulation.advance();
    expect(simulation.loop).toBeUndefined();
  });
});
