import type { DirectionReport } from "@wirelab/engine/link/direction-report";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { changeLink, sendFrames } from "@wirelab/engine/simulation/actions";
import type { LabLink, LinkImpairments, LinkState } from "@wirelab/engine/simulation/lab";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import { describe, expect, test } from "vitest";
import { AMPLE, LAB_START_US, LabBuilder, plan } from "../../../helpers/engine/lab-builder.ts";

const impaired = (input: object, sinceUs = LAB_START_US): LinkImpairments => {
  const result = parseImpairments(input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { impairments: result.impairments, sinceUs };
};

const pair = (input: object | undefined, fields: Partial<LabLink> = {}): LabBuilder =>
  new LabBuilder()
    .pc(1)
    .pc(2)
    .join(["PC1", 0], ["PC2", 0], { ...(input && { impairments: impaired(input) }), ...fields });

const LINK = "PC1-0-PC2-0";
const lineOf = (simulation: Simulation): DirectionReport => simulation.links.get(LINK)!.aToB.report();
const balance = ({ entered, delivered, dropped, underWay, impairments }: DirectionReport): number =>
  entered.packets +
  (impairments?.duplicated.packets ?? 0) +
  (impairments?.restored.packets ?? 0) -
  delivered.packets -
  dropped.packets -
  underWay.packets;

const sendOne = (at: number) =>
  ({
    kind: "other",
    nodes: ["PC1"],
    links: [],
    perform: ({ node, inject }) =>
      inject(
        node("PC1"),
        0,
        Uint8Array.from({ length: 100 }, () => at),
      ),
  }) as const satisfies Parameters<Simulation["schedule"]>[1];

describe("impairments in a run", () => {
  test("delay a ping by both directions", () => {
    const simulation = pair({ a_to_b: { delay: "10ms" }, b_to_a: { delay: "20.5ms" } }).simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    simulation.advance();
    expect(session.output).toContain("time=30.700 ms");
  });

  test("come after the filters, also after the delay of one", () => {
    const filters = { settings: { delay: [10, 0] as [number, number] }, bpfPredicates: [] };
    const simulation = pair({ a_to_b: { delay: "5ms" } }, { filters }).simulate();
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    simulation.advance();
    expect(session.output).toMatch(/time=25\.\d+ ms/);
    expect(lineOf(simulation).delayMs).toMatchObject({ min: 15, max: 15 });
  });

  test("duplicate what a PC sends", () => {
    const simulation = pair({ a_to_b: { duplicate: 100 } }).simulate();
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 3"], 5);
    simulation.advance();
    const report = lineOf(simulation);
    expect(report.delivered.packets).toBe(2 * report.entered.packets);
    expect(balance(report)).toBe(0);
  });

  test("give the same bytes again, and other ones with other seeds", () => {
    const run = (seed: string): string => {
      const simulation = pair({
        both: { loss: "20%", delay: { delay: "3ms", jitter: "2ms" }, rate: "1mbit" },
      }).simulate({ seed });
      plan(simulation, "PC1", ["ping 10.0.0.2 -c 30"], 5);
      simulation.advance();
      return simulation.digest;
    };
    expect(run("1")).toBe(run("1"));
    expect(run("1")).not.toBe(run("2"));
  });

  test("a link without impairments has no state and no report of them", () => {
    const simulation = pair(undefined).simulate();
    plan(simulation, "PC1", ["ping 10.0.0.2 -c 1"], 5);
    simulation.advance();
    expect(lineOf(simulation)).not.toHaveProperty("impairments");
    expect(simulation.links.get(LINK)!.changedState()).toBeUndefined();
  });

  test("can be set and removed during a run; what waits in the queue leaves then", () => {
    const simulation = pair(undefined).simulate({ durationNs: 60e9 });
    const session = plan(simulation, "PC1", ["ping 10.0.0.2 -c 3 -i 1000 -w 20000"], 5);
    simulation.schedule(5.5e9, changeLink(LINK, { impairments: impaired({ a_to_b: { rate: 1 } }) }));
    simulation.schedule(15e9, changeLink(LINK, { impairments: null }));
    simulation.advance();
    const report = lineOf(simulation);
    expect(balance(report)).toBe(0);
    // The first packet at 1 bit/s is still being sent.
    expect(report.underWay.packets).toBe(1);
    expect(session.output).toContain("icmp_seq=1");
  });

  test("an observer recognizes a frame that the queue has marked, and one that it has lost", () => {
    const passed = new Set<Uint8Array>();
    const seen = { marked: 0, lost: 0 };
    const queue = { discipline: "codel", target: "1ms", interval: "10ms", ecn: true, limit: 40 };
    const simulation = new LabBuilder()
      .add("PC1", undefined)
      .add("PC2", undefined)
      .join(["PC1", 0], ["PC2", 0], { impairments: impaired({ both: { rate: "1mbit", queue } }) })
      .simulate({
        observer: {
          entered: (entry) => void passed.add(entry.passed),
          arrived(arrival) {
            if (arrival.frame !== arrival.passed) seen.marked += 1;
            expect(passed.delete(arrival.passed)).toBe(true);
          },
          lost({ frame, droppedBy }) {
            seen.lost += 1;
            expect(droppedBy).toBe("queue.full");
            expect(passed.delete(frame)).toBe(true);
          },
        },
      });
    const frames = Array.from({ length: 300 }, (_, index) => {
      const data = new Uint8Array(250);
      data.set([8, 0, 0x45, 1], 12);
      return { offsetNs: index * 1_000_000, data };
    });
    simulation.schedule(0, sendFrames("PC1", 0, frames));
    simulation.advance();
    expect(passed.size).toBe(0);
    expect(seen.marked).toBeGreaterThan(10);
    expect(seen.lost).toBeGreaterThan(10);
  });

  test("a queue counts against the bytes in flight", () => {
    const simulation = pair({ both: { rate: 8 } }).simulate({ limits: { ...AMPLE, bytesInFlight: 1_000 } });
    for (let at = 0; at < 20; at++) simulation.schedule(at, sendOne(at));
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "bytes_in_flight" });
  });
});

describe("between two runs", () => {
  const input = {
    both: {
      loss: { gilbert_elliott: { p: 10, r: 40 } },
      rate: { rate: "200kbit", burst: 200 },
      queue: { discipline: "codel", target: "1ms", interval: "20ms" },
      delay: { delay: "30ms", jitter: "5ms", correlation: 30 },
    },
  };

  /** Sends 40 echo requests, in runs that end at the given times; returns when the frames reach PC2. */
  function arrivals(ends: readonly number[]): number[] {
    const arrivedNs: number[] = [];
    let state: LinkState | undefined;
    let fromNs = 0;
    for (const endNs of ends) {
      const simulation = new LabBuilder()
        .add("PC1", undefined)
        .add("PC2", undefined)
        .join(["PC1", 0], ["PC2", 0], { impairments: impaired(input), state })
        .simulate({
          startUs: LAB_START_US + fromNs / 1_000,
          durationNs: endNs - fromNs,
          observer: { arrived: ({ atNs }) => arrivedNs.push(fromNs + atNs) },
        });
      for (let at = 0; at < 40; at++) {
        const atNs = at * 3_000_000;
        if (atNs >= fromNs && atNs < endNs) simulation.schedule(atNs - fromNs, sendOne(at));
      }
      simulation.advance();
      state = structuredClone(simulation.links.get(LINK)!.changedState() ?? state);
      expect(balance(lineOf(simulation))).toBe(0);
      fromNs = endNs;
    }
    return arrivedNs;
  }

  test("packets in queues and on the wire, buckets, chains and draws go on as if there were one run", () => {
    const whole = arrivals([1e9]);
    expect(whole.length).toBeGreaterThan(10);
    expect(arrivals([31_000_000, 32_000_000, 100_000_000, 1e9])).toEqual(whole);
  });

  test("packets of an earlier run count against the bytes in flight, and a smaller queue loses them", () => {
    const lab = (limit: number, state?: LinkState) =>
      new LabBuilder()
        .add("PC1", undefined)
        .add("PC2", undefined)
        .join(["PC1", 0], ["PC2", 0], { impairments: impaired({ both: { rate: 8, queue: limit } }), state });
    const first = lab(100).simulate({ durationNs: 1e9 });
    for (let at = 0; at < 10; at++) first.schedule(at, sendOne(at));
    first.advance();
    const state = first.links.get(LINK)!.changedState()!;
    const limited = lab(100, state).simulate({ limits: { ...AMPLE, bytesInFlight: 1_000 } });
    limited.advance();
    expect(limited.stopped).toEqual({ reason: "limit", limit: "bytes_in_flight" });
    const smaller = lab(3, state).simulate();
    smaller.advance();
    const report = lineOf(smaller);
    expect(report.delivered.packets).toBe(4);
    expect(report.dropped.packets).toBe(6);
    expect(balance(report)).toBe(0);
  });

  test("packets beyond 16 KiB are lost, and counted", () => {
    const simulation = new LabBuilder()
      .add("PC1", undefined)
      .add("PC2", undefined)
      .join(["PC1", 0], ["PC2", 0], { impairments: impaired({ both: { rate: 8 } }) })
      .simulate({ durationNs: 1e9 });
    for (let at = 0; at < 200; at++) simulation.schedule(at, sendOne(at));
    simulation.advance();
    const counts = lineOf(simulation).impairments?.counts.find(({ type }) => type === "run_end");
    expect(counts).toMatchObject({ seen: 200, dropped: 200 - Math.floor(16_384 / 100) });
    expect(balance(lineOf(simulation))).toBe(0);
  });
});
