/** The topology change machine: addresses are forgotten where the tree has changed (IEEE 802.1D-2004, 17.31). */
import type { RstpPort } from "./port.ts";
import { isRunning, type Tree, usOf } from "./tree.ts";

/** @returns whether anything changed. */
export function noteTopologyChange(tree: Tree, port: RstpPort): boolean {
  switch (port.changeState) {
    case "inactive":
      if (!port.learning) return clearFlags(port);
      port.changeState = "learning";
      clearFlags(port);
      return true;
    case "learning":
      return noteLearning(tree, port);
    case "active":
      return noteActive(tree, port);
  }
}

const takesPart = ({ role, operEdge }: RstpPort): boolean =>
  (role === "root" || role === "designated") && !operEdge;

function noteLearning(tree: Tree, port: RstpPort): boolean {
  if (takesPart(port) && port.forwarding) {
    port.changeState = "active";
    startChange(tree, port);
    propagate(tree, port);
    port.newInfo = true;
    return true;
  }
  if (!port.learning && port.role !== "root" && port.role !== "designated") {
    port.changeState = "inactive";
    clearFlags(port);
    tree.flush(port);
    port.timers.topologyChange = 0;
    port.tcAck = false;
    return true;
  }
  return clearFlags(port);
}

function noteActive(tree: Tree, port: RstpPort): boolean {
  if (!takesPart(port)) {
    port.changeState = "learning";
    clearFlags(port);
    return true;
  }
  if (port.rcvdTc || port.rcvdTcn) {
    if (port.rcvdTcn) startChange(tree, port);
    port.rcvdTc = false;
    port.rcvdTcn = false;
    if (port.role === "designated") port.tcAck = true;
    propagate(tree, port);
    return true;
  }
  if (port.tcProp) {
    startChange(tree, port);
    tree.flush(port);
    port.tcProp = false;
    return true;
  }
  if (port.rcvdTcAck) {
    port.timers.topologyChange = 0;
    port.rcvdTcAck = false;
    return true;
  }
  return false;
}

/** Received changes do not concern a port that does not forward. */
function clearFlags(port: RstpPort): boolean {
  const had = port.rcvdTc || port.rcvdTcn || port.rcvdTcAck || port.tcProp;
  port.rcvdTc = false;
  port.rcvdTcn = false;
  port.rcvdTcAck = false;
  port.tcProp = false;
  return had;
}

/** newTcWhile (17.21.7). */
function startChange(tree: Tree, port: RstpPort): void {
  const { timers } = port;
  if (isRunning(tree, timers.topologyChange)) return;
  const { maxAge, forwardDelay } = tree.rootTimes;
  const seconds = port.sendRstp ? port.designatedTimes.helloTime + 1 : maxAge + forwardDelay;
  timers.topologyChange = tree.nowUs + usOf(seconds);
  if (port.sendRstp) port.newInfo = true;
}

/** setTcPropTree: all ports but the one that noted the change. */
function propagate(tree: Tree, from: RstpPort): void {
  for (const port of tree.ports) if (port !== from) port.tcProp = true;
}
