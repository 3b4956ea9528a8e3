/** The form of a spanning tree between two runs. No frame moves between runs, so timers keep the time that was left of them. */
import type { InfoIs, Role, RstpPort, Timers } from "./port.ts";
import type { PriorityVector, Times } from "./vector.ts";

type SavedVector = [
  rootPriority: number,
  root: number,
  cost: number,
  priority: number,
  mac: number,
  port: number,
];
type SavedTimes = [messageAge: number, maxAge: number, helloTime: number, forwardDelay: number];

/** Only ports with a link are saved. */
export type SavedRstpPort = [
  port: number,
  role: Role,
  infoIs: InfoIs,
  changeState: RstpPort["changeState"],
  /** A bit for each name of `FLAGS`. */
  flags: number,
  txCount: number,
  vector: SavedVector,
  times: SavedTimes,
  /** Microseconds left, in the order of `TIMERS`. */
  timers: number[],
];

const FLAGS = [
  "hasCarrier",
  "isShut",
  "agree",
  "agreed",
  "disputed",
  "learning",
  "forwarding",
  "newInfo",
  "operEdge",
  "proposed",
  "proposing",
  "reRoot",
  "sendRstp",
  "sync",
  "synced",
  "tcAck",
  "tcProp",
] as const satisfies readonly (keyof RstpPort)[];

const TIMERS = [
  "edgeDelay",
  "forward",
  "hello",
  "migration",
  "recentBackup",
  "receivedInfo",
  "recentRoot",
  "topologyChange",
  "hold",
] as const satisfies readonly (keyof Timers)[];

export const savePort = (port: RstpPort, nowUs: number): SavedRstpPort => [
  port.number,
  port.role,
  port.infoIs,
  port.changeState,
  FLAGS.reduce((bits, name, index) => bits | (port[name] ? 1 << index : 0), 0),
  port.txCount,
  saveVector(port.portPriority),
  saveTimes(port.portTimes),
  TIMERS.map((name) => Math.max(0, port.timers[name] - nowUs)),
];

export function restorePort(port: RstpPort, saved: SavedRstpPort, nowUs: number): void {
  const [, role, infoIs, changeState, flags, txCount, vector, times, timers] = saved;
  port.role = role;
  port.selectedRole = role;
  port.infoIs = infoIs;
  port.changeState = changeState;
  const isWired = port.hasCarrier;
  for (const [index, name] of FLAGS.entries()) port[name] = (flags & (1 << index)) !== 0;
  port.hasCarrier &&= isWired;
  port.txCount = txCount;
  port.portPriority = restoreVector(vector);
  port.portTimes = restoreTimes(times);
  for (const [index, name] of TIMERS.entries()) {
    const leftUs = timers[index] ?? 0;
    port.timers[name] = leftUs > 0 ? nowUs + leftUs : 0;
  }
}

const saveVector = ({ root, cost, bridge, port }: PriorityVector): SavedVector => [
  root.priority,
  root.mac,
  cost,
  bridge.priority,
  bridge.mac,
  port,
];

const restoreVector = ([rootPriority, root, cost, priority, mac, port]: SavedVector): PriorityVector => ({
  root: { priority: rootPriority, mac: root },
  cost,
  bridge: { priority, mac },
  port,
});

const saveTimes = ({ messageAge, maxAge, helloTime, forwardDelay }: Times): SavedTimes => [
  messageAge,
  maxAge,
  helloTime,
  forwardDelay,
];

const restoreTimes = ([messageAge, maxAge, helloTime, forwardDelay]: SavedTimes): Times => ({
  messageAge,
  maxAge,
  helloTime,
  forwardDelay,
});
