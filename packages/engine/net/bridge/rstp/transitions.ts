/** The port role transitions and port state transitions machines (IEEE 802.1D-2004, 17.29 and 17.30). */
import type { Role, RstpPort } from "./port.ts";
import { forwardDelayUs, isRunning, MIGRATE_SECONDS, type Tree, usOf } from "./tree.ts";

/** @returns whether anything changed. */
export function followRole(tree: Tree, port: RstpPort): boolean {
  if (!port.selected || port.updtInfo) return false;
  if (port.role !== port.selectedRole) {
    changeRole(tree, port, port.selectedRole);
    return true;
  }
  switch (port.role) {
    case "disabled":
      return settleDiscarding(port);
    case "root":
      return followRoot(tree, port);
    case "designated":
      return followDesignated(tree, port);
    case "alternate":
    case "backup":
      return followAlternate(tree, port);
  }
}

/** Timers that are held while a port has a role begin to run when it leaves the role. */
function changeRole(tree: Tree, port: RstpPort, role: Role): void {
  const { timers, designatedTimes } = port;
  const { nowUs } = tree;
  if (port.role === "root") timers.recentRoot = nowUs + usOf(designatedTimes.forwardDelay);
  if (port.role === "backup") timers.recentBackup = nowUs + usOf(2 * designatedTimes.helloTime);
  if (port.role === "disabled") timers.forward = nowUs + usOf(designatedTimes.maxAge);
  if (port.role === "alternate" || port.role === "backup") timers.forward = nowUs + forwardDelayUs(port);
  port.role = role;
  if (role === "root" || role === "designated") return;
  discard(port);
  timers.recentRoot = 0;
}

function discard(port: RstpPort): void {
  port.learning = false;
  port.forwarding = false;
}

function settleDiscarding(port: RstpPort): boolean {
  if (port.synced && !port.sync && !port.reRoot) return false;
  port.synced = true;
  port.sync = false;
  port.reRoot = false;
  return true;
}

function followRoot(tree: Tree, port: RstpPort): boolean {
  if (port.proposed && !port.agree) {
    setSyncTree(tree);
    port.proposed = false;
    return true;
  }
  if ((isAllSynced(tree) && !port.agree) || (port.proposed && port.agree)) {
    port.proposed = false;
    port.sync = false;
    port.agree = true;
    port.newInfo = true;
    return true;
  }
  if ((port.agreed && !port.synced) || (port.sync && port.synced)) {
    port.synced = true;
    port.sync = false;
    return true;
  }
  if (!port.forwarding && !port.reRoot) {
    for (const each of tree.ports) each.reRoot = true;
    return true;
  }
  if (port.reRoot && port.forwarding) {
    port.reRoot = false;
    return true;
  }
  const isRapid =
    tree.settings.mode === "rstp" && isReRooted(tree, port) && !isRunning(tree, port.timers.recentBackup);
  return (isRapid || !isRunning(tree, port.timers.forward)) && advance(tree, port);
}

function followDesignated(tree: Tree, port: RstpPort): boolean {
  const { timers } = port;
  if (!port.forwarding && !port.agreed && !port.proposing && !port.operEdge) {
    port.proposing = true;
    timers.edgeDelay = tree.nowUs + usOf(MIGRATE_SECONDS);
    port.newInfo = true;
    return true;
  }
  const isDiscarding = !port.learning && !port.forwarding;
  if ((!port.synced && (isDiscarding || port.agreed || port.operEdge)) || (port.sync && port.synced)) {
    timers.recentRoot = 0;
    port.synced = true;
    port.sync = false;
    return true;
  }
  const wasRoot = isRunning(tree, timers.recentRoot);
  if (!wasRoot && port.reRoot) {
    port.reRoot = false;
    return true;
  }
  const mustStop = (port.sync && !port.synced) || (port.reRoot && wasRoot) || port.disputed;
  if (mustStop && !port.operEdge && !isDiscarding) {
    discard(port);
    port.disputed = false;
    timers.forward = tree.nowUs + forwardDelayUs(port);
    return true;
  }
  const mayAdvance = !isRunning(tree, timers.forward) || port.agreed || port.operEdge;
  if (!mayAdvance || (wasRoot && port.reRoot) || port.sync) return false;
  if (!advance(tree, port)) return false;
  if (port.forwarding) port.agreed = port.sendRstp;
  return true;
}

function followAlternate(tree: Tree, port: RstpPort): boolean {
  if (port.proposed && !port.agree) {
    setSyncTree(tree);
    port.proposed = false;
    return true;
  }
  if ((isAllSynced(tree) && !port.agree) || (port.proposed && port.agree)) {
    port.proposed = false;
    port.agree = true;
    port.newInfo = true;
    return true;
  }
  return settleDiscarding(port);
}

/** From discarding to learning, or from there to forwarding. */
function advance(tree: Tree, port: RstpPort): boolean {
  if (port.forwarding) return false;
  if (port.learning) {
    port.forwarding = true;
    port.timers.forward = 0;
  } else {
    port.learning = true;
    port.timers.forward = tree.nowUs + forwardDelayUs(port);
  }
  return true;
}

function setSyncTree(tree: Tree): void {
  for (const port of tree.ports) port.sync = true;
}

/** Whether the other ports have agreed or do not forward, so that the root port may agree. */
const isAllSynced = (tree: Tree): boolean =>
  tree.ports.every(
    (port) =>
      port.selected &&
      port.role === port.selectedRole &&
      !port.updtInfo &&
      (port.synced || port.role === "root"),
  );

/** Whether no other port has been the root port lately. */
const isReRooted = (tree: Tree, port: RstpPort): boolean =>
  tree.ports.every((each) => each === port || !isRunning(tree, each.timers.recentRoot));
