/** The port transmit machine (IEEE 802.1D-2004, 17.32). */
import type { Bpdu, BpduRole } from "./bpdu.ts";
import { isEnabled, type RstpPort } from "./port.ts";
import { isRunning, type Tree, TX_HOLD_COUNT, usOf } from "./tree.ts";

const HOLD_US = 1_000_000;

/** @returns whether anything changed. */
export function transmit(tree: Tree, port: RstpPort): boolean {
  const { timers } = port;
  if (!isEnabled(port) || port.role === "disabled") {
    port.newInfo = false;
    port.txCount = 0;
    timers.hello = 0;
    return false;
  }
  while (port.txCount > 0 && !isRunning(tree, timers.hold)) {
    port.txCount -= 1;
    timers.hold += HOLD_US;
  }
  if (!port.selected || port.updtInfo) return false;
  if (!isRunning(tree, timers.hello)) {
    const hasChange = isRunning(tree, timers.topologyChange);
    port.newInfo ||= port.role === "designated" || (port.role === "root" && hasChange);
    timers.hello = tree.nowUs + usOf(port.designatedTimes.helloTime);
    return true;
  }
  if (!port.newInfo || port.txCount >= TX_HOLD_COUNT) return false;
  port.newInfo = false;
  const bpdu = port.sendRstp ? rapid(tree, port) : legacy(tree, port);
  if (bpdu === undefined) return true;
  tree.transmit(port, bpdu);
  if (port.txCount === 0) timers.hold = tree.nowUs + HOLD_US;
  port.txCount += 1;
  port.tcAck = false;
  return true;
}

function rapid(tree: Tree, port: RstpPort): Bpdu {
  const role: BpduRole = port.role === "root" || port.role === "designated" ? port.role : "alternate";
  return {
    kind: "rst",
    ...informationOf(tree, port),
    role,
    proposal: port.role === "designated" && port.proposing,
    agreement: port.agree,
    learning: port.learning,
    forwarding: port.forwarding,
  };
}

function legacy(tree: Tree, port: RstpPort): Bpdu | undefined {
  if (port.role === "root") return { kind: "tcn" };
  if (port.role !== "designated") return undefined;
  const none = { proposal: false, agreement: false, learning: false, forwarding: false };
  return { kind: "config", ...informationOf(tree, port), role: "designated", ...none };
}

const informationOf = (tree: Tree, port: RstpPort) => ({
  vector: port.designatedPriority,
  times: port.designatedTimes,
  topologyChange: isRunning(tree, port.timers.topologyChange),
  topologyChangeAck: port.tcAck,
});
