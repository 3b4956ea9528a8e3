/** The port information machine: what a port knows of the tree, and from where (IEEE 802.1D-2004, 17.27). */
import type { Bpdu } from "./bpdu.ts";
import { isEnabled, type RstpPort } from "./port.ts";
import { isRunning, type Tree, usOf } from "./tree.ts";
import { compareVectors, isSuperior, sameTimes } from "./vector.ts";

type Heard =
  | "superior designated"
  | "repeated designated"
  | "inferior designated"
  | "not designated"
  | "other";

/** @returns whether anything changed. */
export function updateInformation(tree: Tree, port: RstpPort): boolean {
  if (!isEnabled(port)) {
    port.message = undefined;
    if (port.infoIs === "disabled") return false;
    disable(port);
    return true;
  }
  if (port.infoIs === "disabled") {
    age(port);
    return true;
  }
  if (port.selected && port.updtInfo) {
    takeOwn(port);
    return true;
  }
  if (port.updtInfo) return false;
  if (port.message !== undefined) {
    hear(tree, port, port.message);
    port.message = undefined;
    return true;
  }
  if (port.infoIs === "received" && !isRunning(tree, port.timers.receivedInfo)) {
    age(port);
    return true;
  }
  return false;
}

function disable(port: RstpPort): void {
  port.proposing = false;
  port.proposed = false;
  port.agree = false;
  port.agreed = false;
  port.timers.receivedInfo = 0;
  port.infoIs = "disabled";
  reselect(port);
}

function age(port: RstpPort): void {
  port.infoIs = "aged";
  reselect(port);
}

function reselect(port: RstpPort): void {
  port.reselect = true;
  port.selected = false;
}

function takeOwn(port: RstpPort): void {
  port.proposing = false;
  port.proposed = false;
  // betterorsameInfo(Mine): an agreement holds while the own information gets no worse.
  port.agreed =
    port.agreed && port.infoIs === "mine" && compareVectors(port.designatedPriority, port.portPriority) <= 0;
  port.synced = port.synced && port.agreed;
  port.portPriority = port.designatedPriority;
  port.portTimes = port.designatedTimes;
  port.updtInfo = false;
  port.infoIs = "mine";
  port.newInfo = true;
}

function hear(tree: Tree, port: RstpPort, message: Bpdu): void {
  setTcFlags(port, message);
  if (message.kind === "tcn") return;
  switch (classify(port, message)) {
    case "superior designated": {
      const isBetterOrSame =
        port.infoIs === "received" && compareVectors(message.vector, port.portPriority) <= 0;
      port.agreed = false;
      port.proposing = false;
      port.proposed = port.proposed || message.proposal;
      port.agree = port.agree && isBetterOrSame;
      port.portPriority = message.vector;
      port.portTimes = { ...message.times, helloTime: Math.max(1, message.times.helloTime) };
      port.infoIs = "received";
      keepInformation(tree, port, message);
      reselect(port);
      return;
    }
    case "repeated designated":
      port.proposed = port.proposed || message.proposal;
      keepInformation(tree, port, message);
      return;
    case "inferior designated":
      // recordDispute: a designated port that forwards, and does not hear the better information of this one.
      if (!message.learning) return;
      port.disputed = true;
      port.agreed = false;
      return;
    case "not designated":
      port.agreed = message.agreement && tree.settings.mode === "rstp";
      if (port.agreed) port.proposing = false;
      return;
    case "other":
      return;
  }
}

function classify(port: RstpPort, { role, vector, times }: Exclude<Bpdu, { kind: "tcn" }>): Heard {
  const order = compareVectors(vector, port.portPriority);
  if (role !== "designated") return order >= 0 ? "not designated" : "other";
  if (isSuperior(vector, port.portPriority)) return "superior designated";
  if (order > 0) return "inferior designated";
  const isRepeated =
    port.infoIs === "received" &&
    sameTimes({ ...times, helloTime: Math.max(1, times.helloTime) }, port.portTimes);
  return isRepeated ? "repeated designated" : "superior designated";
}

function setTcFlags(port: RstpPort, message: Bpdu): void {
  if (message.kind === "tcn") {
    port.rcvdTcn = true;
    return;
  }
  port.rcvdTc ||= message.topologyChange;
  port.rcvdTcAck ||= message.topologyChangeAck;
}

/** updtRcvdInfoWhile: information is kept for three hello times, unless it has come too far. */
function keepInformation(tree: Tree, port: RstpPort, { times }: Exclude<Bpdu, { kind: "tcn" }>): void {
  const isFresh = times.messageAge + 1 <= times.maxAge;
  port.timers.receivedInfo = isFresh ? tree.nowUs + usOf(3 * port.portTimes.helloTime) : 0;
}
