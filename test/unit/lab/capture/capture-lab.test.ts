import { readCapture } from "@wirelab/engine/pcap/index";
import { captureLab } from "@wirelab/lab/capture/capture-lab";
import { summarize } from "@wirelab/lab/report/show-packet";
import { describe, expect, test } from "vitest";
import { parse } from "../helpers.ts";

const model = parse(`
  clock: 2026-05-01T00:00:00Z
  nodes:
    pc1: 10.0.0.1/24
    pc2: 10.0.0.2/24
    sw1: switch
  links:
    - {link: pc1 -- sw1, name: near}
    - {link: pc2 -- sw1, name: far}
  run:
    - {at: 1s, console: {pc1: ping 10.0.0.2 -c 1}}
    - {at: 5s, down: far}
    - {at: 20s, console: {pc2: ping 10.0.0.1 -c 1}}
  expect:
    - {reach: [pc1 -> 10.0.0.2, pc1 -> 10.0.0.9], at: 10s}
    - {not reach: pc1 -> pc2, at: 2s}
    - {ping: pc1 -> pc2, count: 4, at: 2s}
    - {path: pc1 -> pc2, hops: 3, at: 2s}
    - {seen: icmp}
`);

function read(bytes: Uint8Array) {
  const capture = readCapture(bytes);
  if (!capture.ok) throw capture.error;
  const boot = Date.parse("2026-05-01T00:00:00Z") / 1_000;
  return {
    interfaces: capture.interfaces.length,
    frames: capture.frames.map(({ interfaceId, seconds, nanoseconds, data }) => ({
      link: interfaceId,
      at: seconds - boot + nanoseconds / 1e9,
      text: summarize(data),
    })),
  };
}
const captureOf = (index: number) => read(captureLab(model, { expectation: model.expectations[index]! }));
const requests = ({ frames }: ReturnType<typeof read>) =>
  frames.filter(({ link, text }) => link === 0 && /Echo request/.test(text) && text.startsWith("10.0.0.1"))
    .length;

describe("captureLab", () => {
  test("keeps the last frames within a number of bytes", () => {
    const all = read(captureLab(model)).frames;
    const { interfaces, frames } = read(captureLab(model, { maxBytes: 300 }));
    expect(interfaces).toBe(2);
    expect(frames.length).toBeGreaterThan(1);
    expect(frames).toEqual(all.slice(-frames.length));
    expect(read(captureLab(model, { maxBytes: 0 })).frames).toEqual([]);
  });

  test("ends when there is no more time", () => {
    const storm = parse(`
      nodes: {a: 10.0.0.1/24, s: switch, t: switch}
      links: [a -- s, s -- t, s -- t]
      limits: {events: 20000}
    `);
    const framesOf = (options: object) => read(captureLab(storm, options)).frames.length;
    expect(framesOf({ isOutOfTime: () => true })).toBeLessThan(framesOf({}));
  });

  test("has an interface for each link, and the frames of the boot and the timeline in order of time", () => {
    const { interfaces, frames } = read(captureLab(model));
    expect(interfaces).toBe(2);
    expect(new Set(frames.map(({ link }) => link))).toEqual(new Set([0, 1]));
    const times = frames.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(frames.filter(({ text }) => text.includes("10.0.0.1 > 10.0.0.2 ICMP Echo request"))).toHaveLength(
      2,
    );
  });

  test("has the timeline up to a failed probe, and then the probe that failed", () => {
    const { frames } = captureOf(0);
    expect(frames.some(({ text }) => text.includes("10.0.0.9"))).toBe(false);
    // The probe without an answer follows the moment 10 s, after 3 s of booting.
    expect(frames.at(-1)!.at).toBeGreaterThan(13);
  });

  test("has the probes of all kinds that send one", () => {
    // One of the timeline before.
    expect(requests(captureOf(1))).toBe(2);
    expect(requests(captureOf(2))).toBe(5);
    expect(requests(captureOf(3))).toBe(2);
    expect(requests(captureOf(4))).toBe(1);
  });
});
