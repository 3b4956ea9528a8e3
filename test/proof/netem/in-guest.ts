/** Sends packets through netem, and other queues of Linux, in a guest that routes them: in virtual time, so that each packet's times are exact. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import type { LabEvent } from "@wirelab/lab/model/lab-model";
import { FrameLog } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { parseLabText } from "../../../packages/wirelab/load-lab-file.ts";
import { makeFrame, numberOf } from "./frames.ts";
import type { Seen } from "./measure.ts";

export interface GuestCase {
  /** Commands of the guest before the packets; `eth1` is the port that they leave from. */
  readonly commands: readonly string[];
  readonly sentNs: readonly number[];
  /** Bytes of each frame, without its checksum. */
  readonly bytes: number;
}

const LAB = `
nodes:
  source: 10.0.0.1/24
  guest: { type: linux, image: debian, ports: [10.0.0.254/24, 10.0.1.254/24] }
  sink: switch
links:
  - { link: "source -- guest:0", name: in }
  - { link: "guest:1 -- sink", name: out }
limits: { events: 10000000, packets: 2000000 }
`;
const SETUP = ["ip neigh add 10.0.1.2 lladdr 02:00:00:00:00:99 dev eth1"];
/** For the commands before the packets, and for the packets in the queue after the last one. */
const [BEFORE_NS, AFTER_NS] = [1 * NS_PER_SECOND, 2 * NS_PER_SECOND];

export interface Passed {
  /** When each packet reached the guest. */
  readonly sentNs: readonly number[];
  readonly arrived: readonly Seen[];
}

/** Returns what became of the packets of each case. The times of arrival include the guest's own time for a packet. */
export function throughGuest(cases: readonly GuestCase[]): Passed[] {
  const model = parseLabText(LAB, "netem.lab.yaml");
  const { mac } = model.nodes.find(({ name }) => name === "guest")!.spec as LinuxSpec;
  const events: LabEvent[] = [];
  const starts: number[] = [];
  let atNs = 0;
  for (const [index, { commands, sentNs, bytes }] of cases.entries()) {
    const typed = index === 0 ? [...SETUP, ...commands] : commands;
    events.push(event(atNs, { kind: "console", node: "guest", commands: typed }));
    atNs += BEFORE_NS;
    starts.push(atNs);
    const frames = sentNs.map((offsetNs, number) => ({ offsetNs, data: makeFrame(mac, number, bytes) }));
    events.push(event(atNs, { kind: "replay", from: { node: "source", port: 0 }, file: "", frames }));
    atNs += sentNs.at(-1)! + AFTER_NS;
  }
  const log = new FrameLog();
  play({ ...model, events, durationNs: atNs }, { watchers: { timeline: log } });
  return cases.map((_, index) => {
    const [from, to] = [starts[index]!, starts[index + 1] ?? Number.POSITIVE_INFINITY];
    const within = log.frames.filter(({ enteredNs }) => enteredNs >= from && enteredNs < to);
    const of = (link: string) =>
      within.flatMap(({ link: name, frame, enteredNs }) => {
        const number = name === link ? numberOf(frame) : undefined;
        return number === undefined ? [] : [{ number, atNs: enteredNs - from }];
      });
    return { sentNs: of("in").map(({ atNs: sent }) => sent), arrived: of("out") };
  });
}

const event = (atNs: number, deed: LabEvent["deeds"][number]): LabEvent => ({
  atNs,
  name: "",
  deeds: [deed],
  place: undefined,
});
