/** What the engine records about the end of a packet that is sent through a copy of its lab. */

import { FrameLog } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { describe, expect, test } from "vitest";
import { payloadOf } from "../../../../packages/lab/play/payload.ts";
import { agrees, replayPacket } from "../../../../page/src/packets/replay-packet.ts";

interface Variant {
  readonly pc2?: string;
  readonly far?: string;
  readonly run?: string;
}

/** pc1 - sw - r - pc2 */
const labOf = ({ pc2 = "10.0.2.2/24", far = "", run = "[]" }: Variant = {}) =>
  parseLabFile(
    `
nodes:
  pc1: {ip: 10.0.1.2/24, gateway: 10.0.1.1}
  pc2: {ip: ${pc2}, gateway: 10.0.2.1}
  sw: switch
  r: {type: router, ports: [10.0.1.1/24, 10.0.2.1/24]}
links:
  - pc1 -- sw:0
  - sw:1 -- r:0
  - {link: "r:1 -- pc2", name: far${far}}
run: ${run}
expect: []
`,
    { name: "lab" },
  );

/** The request of a ping, as pc1 sends it. */
function pingFrame(options: string): Uint8Array {
  const log = new FrameLog();
  const run = `[{at: 1s, console: {pc1: ping ${options} -c 1}}]`;
  play(labOf({ run }), { watchers: { timeline: log } });
  return log.frames.find(({ from, frame }) => from === "pc1" && payloadOf(frame).type === 0x0800)!.frame;
}

const FROM = { node: "pc1", port: 0 };
const REQUEST = pingFrame("10.0.2.2");
const namesOf = ({ links }: ReturnType<typeof replayPacket>) =>
  links.map((ends) => ends.map(({ node, port }) => `${node}:${port}`).join(" "));

describe("a replay of a packet", () => {
  test("goes to the device that takes it, and has no end to explain", () => {
    const replayed = replayPacket(labOf(), FROM, REQUEST);
    expect(namesOf(replayed)).toEqual(["pc1:0 sw:0", "sw:1 r:0", "r:1 pc2:0"]);
    expect(replayed.end).toBeUndefined();
  });

  test("begins at a port in the middle of the way", () => {
    expect(namesOf(replayPacket(labOf(), { node: "sw", port: 1 }, REQUEST))).toEqual([
      "sw:1 r:0",
      "r:1 pc2:0",
    ]);
  });

  test.each([
    ["time to live", {}, pingFrame("10.0.2.2 -T 1"), "node", /^r discards it: .*(time to live|TTL)/i],
    ["no route", {}, pingFrame("10.9.9.9"), "node", /^r discards it: .*route/i],
    ["no neighbour", { pc2: "10.0.2.3/24" }, REQUEST, "node", /^r discards it: .*(neighbour|ARP|answer)/i],
    [
      "a filter",
      { far: ", filters: {packet_loss: [100]}" },
      REQUEST,
      "link",
      /^far: dropped by packet_loss$/,
    ],
    ["a link that is suspended", { far: ", down: true" }, REQUEST, "node", /^r discards it: neighbour did/],
    [
      "a cable that is pulled",
      { far: ", impairments: {carrier: down}" },
      REQUEST,
      "node",
      /^r discards it: /,
    ],
    [
      "an impairment",
      { far: ", impairments: {both: {loss: 100%}}" },
      REQUEST,
      "link",
      /^far: dropped by .*loss/,
    ],
  ] as const)("says that the cause is %s", (_name, variant, frame, at, words) => {
    const { end } = replayPacket(labOf(variant), FROM, frame);
    expect(end).toEqual({ at, words: expect.stringMatching(words) });
  });
});

describe("a replay agrees with the captures", () => {
  const link = { at: "link", words: "" } as const;
  const node = { at: "node", words: "" } as const;
  const captured = (...ids: string[]) => {
    const all = new Set(ids);
    return (id: string) => all.has(id);
  };
  test.each([
    ["on the same links", ["a", "b"], ["a", "b"], node, captured("a", "b"), true],
    ["with a link between that has no capture", ["a", "c"], ["a", "b", "c"], node, captured("a", "c"), true],
    [
      "with an end on a link whose capture has only what passed",
      ["a"],
      ["a", "b"],
      link,
      captured("a", "b"),
      true,
    ],
    ["not if it went on over a captured link", ["a"], ["a", "b"], node, captured("a", "b"), false],
    ["not if it ended earlier", ["a", "b"], ["a"], node, captured("a", "b"), false],
    ["not on another link", ["a"], ["b"], node, captured("a"), false],
    ["not on a link that was deleted", ["a"], ["a", undefined], node, captured("a"), false],
  ])("%s", (_name, seen, went, end, isCaptured, expected) => {
    expect(agrees(seen, went, end, isCaptured)).toBe(expected);
  });
});
