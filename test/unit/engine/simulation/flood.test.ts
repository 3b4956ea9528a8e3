/** Frames that switches and hubs forward: their order of arrival, and their weight in the limits. */

import { sendFrames, switchPower } from "@wirelab/engine/simulation/actions";
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import type { Simulation, SimulationOptions } from "@wirelab/engine/simulation/simulation";
import { describe, expect, test } from "vitest";
import { labLimits } from "../../../../functions/shared/run/limits.ts";
import { AMPLE, LAB_START_US, LabBuilder } from "../../../helpers/engine/lab-builder.ts";

const BROADCAST = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const UNKNOWN_HOST = [0x02, 0, 0, 0, 0, 0x77];
/** Ports to the left and to the right neighbour, among the ports of the PCs. */
const LEFT = 0;
const RIGHT = 3;

const filters = (settings: object) => ({ filters: { settings, bpfPredicates: [] } });

/** A frame of 64 bytes without a known protocol. */
function frame(target: readonly number[], number: number): Uint8Array {
  const bytes = new Uint8Array(64).fill(number);
  bytes.set([...target, 0x02, 0, 0, 0, 1, number, 0x88, 0xb5]);
  return bytes;
}

interface PcOptions {
  readonly startupScript?: string;
  /** Settings of every fourth PC's link: its delay. */
  readonly settings?: object;
}

/** Switches and hubs in a row, each with PCs that are off. */
function row(
  kinds: readonly ("switch" | "hub")[],
  pcsOnEach: number,
  { startupScript = "", settings = {} }: PcOptions = {},
): LabBuilder {
  const lab = new LabBuilder();
  const ports = pcsOnEach + 2;
  for (const [at, kind] of kinds.entries()) {
    if (kind === "switch") lab.ethernetSwitch(`S${at}`, ports);
    else lab.add(`S${at}`, { type: "ethernet_hub", name: `S${at}`, ports });
    if (at > 0) lab.join([`S${at}`, LEFT], [`S${at - 1}`, RIGHT]);
    for (let i = 0; i < pcsOnEach; i++) {
      const index = at * pcsOnEach + i + 1;
      const name = `PC${index}`;
      const script = startupScript.replace("ADDRESS", `10.0.${index >> 8}.${index & 255}/16`);
      lab.add(name, { type: "vpcs", name, index, startupScript: script }, { status: "stopped" });
      lab.join([name, 0], [`S${at}`, i < RIGHT - 1 ? i + 1 : i + 2], filters(index % 4 ? {} : settings));
    }
  }
  return lab;
}

/** Sends frames from PC1, PC6 and PC11, a millisecond apart, to the broadcast address and to a host unknown to the switches. */
function send(simulation: Simulation): Simulation {
  for (const [sender, name] of ["PC1", "PC6", "PC11"].entries()) {
    const frames = Array.from({ length: 40 }, (_, i) => ({
      offsetNs: i * 1_000_000,
      data: frame(i % 2 ? BROADCAST : UNKNOWN_HOST, 16 * sender + (i % 16)),
    }));
    simulation.schedule(sender * 400_000, sendFrames(name, 0, frames));
  }
  simulation.advance();
  return simulation;
}

function start(lab: LabBuilder, options: Partial<SimulationOptions>): Simulation {
  const simulation = lab.simulate(options);
  const pcs = lab.nodes.filter(({ name }) => name.startsWith("PC")).map(({ id }) => id);
  simulation.schedule(0, switchPower(pcs, "start"));
  simulation.advance();
  return simulation;
}

const withAddress = (simulation: Simulation): number =>
  [...simulation.nodes.values()].filter((node) => {
    const device = node.changes()?.state.device as { ipv4?: { address: number } } | undefined;
    return (device?.ipv4?.address ?? 0) !== 0;
  }).length;

test("forwarded frames arrive in the order of earlier releases: fingerprints are equal", () => {
  const settings = { packet_loss: [30], corrupt: [40], delay: [2, 1] };
  const lab = row(["switch", "hub", "switch", "switch"], 5, { settings });
  const { digest, events, packets } = send(lab.simulate());
  expect({ digest, events, packets }).toEqual({ digest: "1f26bb5e458667cb", events: 2698, packets: 2760 });
});

describe("a broadcast", () => {
  const COPIES = 33;
  const sendTen = (target: readonly number[], limits: Partial<RunLimits>): Simulation => {
    const simulation = row(["switch"], COPIES + 1).simulate({ limits: { ...AMPLE, ...limits } });
    const frames = Array.from({ length: 10 }, (_, i) => ({
      offsetNs: i * 1_000_000,
      data: frame(target, i),
    }));
    simulation.schedule(0, sendFrames("PC1", 0, frames));
    simulation.advance();
    return simulation;
  };
  /** Ten frames, and a sixteenth of the copies that the switch makes of each. */
  const price = 10 + (10 * COPIES) / 16;

  test("counts a sixteenth per forwarded copy, and in full in the report", () => {
    const { stopped, packets, events } = sendTen(BROADCAST, { packets: price + 1, events: 2 * price });
    expect(stopped).toEqual({ reason: "idle" });
    expect(packets).toBe(10 + 10 * COPIES);
    expect(events).toBeGreaterThan(packets);
  });

  test.each(["packets", "events"] as const)("ends a run that exceeds the limit of %s", (limit) => {
    expect(sendTen(BROADCAST, { [limit]: price - 1 }).stopped).toEqual({ reason: "limit", limit });
  });

  test("counts less than a frame to a host unknown to the switch", () => {
    const { stopped } = sendTen(UNKNOWN_HOST, { packets: price + 1 });
    expect(stopped).toEqual({ reason: "limit", limit: "packets" });
  });

  test("is held in memory once, for any number of copies in flight", () => {
    expect(sendTen(BROADCAST, { bytesInFlight: 64 + 16 * COPIES }).stopped).toEqual({ reason: "idle" });
  });

  test("in a loop counts in full", () => {
    const lab = row(["switch", "switch"], 30).join(["S0", LEFT], ["S1", RIGHT]);
    const simulation = lab.simulate({ limits: { ...AMPLE, packets: 5_000 } });
    simulation.schedule(0, sendFrames("PC1", 0, [{ offsetNs: 0, data: frame(BROADCAST, 1) }]));
    simulation.advance();
    expect(simulation.stopped).toEqual({ reason: "limit", limit: "packets" });
    expect(simulation.packets).toBeLessThan(5_300);
  });
});

test("a thousand PCs in one broadcast domain start within the default limits", { timeout: 600_000 }, () => {
  const lab = row(["switch", "switch", "switch", "switch"], 250, { startupScript: "ip ADDRESS" });
  const simulation = start(lab, { limits: labLimits() });
  expect(simulation.stopped).toEqual({ reason: "idle" });
  expect(withAddress(simulation)).toBe(1_000);
});

test("starts more PCs than one run allows in several runs, each continuing from the last", () => {
  const lab = row(["switch"], 60, { startupScript: "ip ADDRESS" });
  // Each PC sends five times; the limit allows less than two packets for each.
  const options = { limits: { ...AMPLE, packets: 500 } };
  let simulation = start(lab, options);
  let startUs = LAB_START_US;
  let runs = 1;
  for (; simulation.stopped?.reason === "limit" && runs < 9; runs++) {
    expect(withAddress(simulation)).toBe(0);
    startUs += Math.ceil(simulation.nowNs / 1_000);
    const nodes = lab.nodes.map((node) => ({ ...node, ...simulation.nodes.get(node.id)!.changes() }));
    lab.nodes.splice(0, nodes.length, ...nodes);
    simulation = lab.simulate({ ...options, startUs });
    simulation.advance();
  }
  expect([runs, withAddress(simulation)]).toEqual([4, 60]);
});
