/** A live lab, with a clock that the test moves. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { describe, expect, test } from "vitest";
import { LiveLab } from "../../../../packages/wirelab/live/live-lab.ts";
import type { RealTime } from "../../../../packages/wirelab/live/real-time.ts";
import { parse } from "../../lab/helpers.ts";

const MS = 1_000_000;

class ManualTime implements RealTime {
  #nowNs = 5_000 * MS;
  #wake: { readonly atNs: number; readonly call: () => void } | undefined;

  nowNs(): number {
    return this.#nowNs;
  }

  wakeAt(atNs: number, call: () => void): void {
    this.#wake = { atNs, call };
  }

  cancel(): void {
    this.#wake = undefined;
  }

  get isAwaited(): boolean {
    return this.#wake !== undefined;
  }

  /** Lets time pass; timers come at their time. */
  pass(ns: number): void {
    const endNs = this.#nowNs + ns;
    while (this.#wake !== undefined && this.#wake.atNs <= endNs) {
      const { atNs, call } = this.#wake;
      this.#wake = undefined;
      this.#nowNs = Math.max(this.#nowNs, atNs);
      call();
    }
    this.#nowNs = endNs;
  }

  /** Lets time pass while the process does not run. */
  freeze(ns: number): void {
    this.#nowNs += ns;
  }
}

const CABLE = `
  nodes: {a: {type: cloud}, b: {type: cloud}}
  links: [{link: a -- b, filters: {delay: [10]}}]
`;

function start(text: string) {
  const time = new ManualTime();
  const left: { cloud: string; frame: Uint8Array; atNs: number }[] = [];
  const printed: string[] = [];
  const limits: string[] = [];
  const model: LabModel = parse(text);
  const beginNs = time.nowNs();
  const lab = new LiveLab({
    model,
    seed: "s",
    time,
    startUs: 0,
    leave: (cloud, frame) => left.push({ cloud, frame, atNs: time.nowNs() - beginNs }),
    print: (node, text) => printed.push(`${node}: ${text}`),
    end: (limit) => limits.push(limit),
  });
  return { lab, time, left, printed, limits };
}

const frameOf = (byte: number, size = 60): Uint8Array => new Uint8Array(size).fill(byte);

describe("a live lab", () => {
  test("passes frames both ways through the link, each after its delay", () => {
    const { lab, time, left } = start(CABLE);
    lab.enter("a", frameOf(1));
    time.pass(3 * MS);
    lab.enter("b", frameOf(2));
    time.pass(20 * MS);
    expect(left).toEqual([
      { cloud: "b", frame: frameOf(1), atNs: 10 * MS },
      { cloud: "a", frame: frameOf(2), atNs: 13 * MS },
    ]);
  });

  test("is never ahead of real time", () => {
    const { lab, time, left } = start(CABLE);
    lab.enter("a", frameOf(1));
    time.pass(10 * MS - 1);
    expect(left).toEqual([]);
    time.pass(1);
    expect(left).toHaveLength(1);
  });

  test("catches up after the process has not run for a while, in the order of lab time", () => {
    const { lab, time, left } = start(CABLE);
    lab.enter("a", frameOf(1));
    time.freeze(2 * MS);
    lab.enter("a", frameOf(2));
    time.freeze(500 * MS);
    lab.enter("b", frameOf(3));
    expect(left.map(({ frame }) => frame[0])).toEqual([1, 2]);
    time.pass(10 * MS);
    expect(left.map(({ frame }) => frame[0])).toEqual([1, 2, 3]);
    const { delayMs } = lab.simulation.links.get("a-b")!.aToB.report();
    expect(delayMs).toMatchObject({ min: 10, max: 10 });
  });

  test("talks with the lab's devices: a PC answers a frame from outside", () => {
    const { lab, time, left } = start(`
      nodes: {pc: 10.0.0.1/24, lan: {type: cloud}}
      links: [pc -- lan]
    `);
    time.pass(3_000 * MS);
    left.length = 0;
    // RFC 826: who has 10.0.0.1? From 10.0.0.9.
    const request = Buffer.from(
      "ffffffffffff02000000000908060001080006040001020000000009" + "0a0000090000000000000a000001",
      "hex",
    );
    lab.enter("lan", request);
    time.pass(MS);
    expect(left).toHaveLength(1);
    expect(Buffer.from(left[0]!.frame).toString("hex")).toContain("08060001080006040002");
  });

  test("plays the timeline, and types what the user types", () => {
    const { lab, time, printed } = start(`
      nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}
      links: [pc1 -- pc2]
      run: [{at: 4s, console: {pc1: ping 10.0.0.2 -c 1}}]
    `);
    time.pass(3_000 * MS);
    lab.type("pc2", "show ip");
    expect(printed.join("")).toContain("pc2: ");
    expect(printed.join("")).toContain("10.0.0.2");
    expect(printed.join("")).not.toContain("icmp_seq=1");
    time.pass(2_000 * MS);
    expect(printed.join("")).toContain("icmp_seq=1");
  });

  test("reports the delays of any number of frames, also the long ones", () => {
    const { lab, time } = start(CABLE.replace("[10]", "[5000]"));
    lab.enter("a", frameOf(1));
    time.pass(6_000 * MS);
    const { delivered, delayMs } = lab.simulation.links.get("a-b")!.aToB.report();
    expect(delivered.packets).toBe(1);
    expect(delayMs!.max).toBe(262);
  });

  test("ends when its links hold more than the memory for it", () => {
    const { lab, limits, time } = start(CABLE.replace("[10]", "[30000]"));
    const frame = frameOf(1, 1 << 20);
    for (let count = 0; count < 1_026; count++) lab.enter("a", frame);
    expect(limits).toEqual(["bytes_in_flight"]);
    lab.enter("a", frame);
    lab.type("a", "x");
    expect(limits).toHaveLength(1);
    expect(time.isAwaited).toBe(false);
  });

  test("does nothing after its end", () => {
    const { lab, time, left } = start(CABLE);
    lab.enter("a", frameOf(1));
    lab.stop();
    time.pass(20 * MS);
    expect(left).toEqual([]);
  });
});
