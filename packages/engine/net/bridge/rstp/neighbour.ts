/** What is behind a port: an old bridge, which needs the old messages, or hosts alone (IEEE 802.1D-2004, 17.24 to 17.26). */
import { isEnabled, type RstpPort } from "./port.ts";
import { isRunning, MIGRATE_SECONDS, type Tree, usOf } from "./tree.ts";

/** The port protocol migration machine. @returns whether anything changed. */
export function chooseProtocol(tree: Tree, port: RstpPort): boolean {
  const isRapid = tree.settings.mode === "rstp";
  if (!isEnabled(port)) {
    const had = port.sendRstp !== isRapid || port.rcvdRstp || port.rcvdStp;
    port.sendRstp = isRapid;
    port.rcvdRstp = false;
    port.rcvdStp = false;
    port.timers.migration = tree.nowUs + usOf(MIGRATE_SECONDS);
    return had;
  }
  if (!port.rcvdRstp && !port.rcvdStp) return false;
  // Messages that cross during a change do not change the protocol again.
  const isSensing = !isRunning(tree, port.timers.migration);
  const changes = isSensing && isRapid && (port.sendRstp ? port.rcvdStp : port.rcvdRstp);
  port.rcvdRstp = false;
  port.rcvdStp = false;
  if (!changes) return true;
  port.sendRstp = !port.sendRstp;
  port.timers.migration = tree.nowUs + usOf(MIGRATE_SECONDS);
  return true;
}

/** The bridge detection machine. @returns whether anything changed. */
export function detectEdge(tree: Tree, port: RstpPort): boolean {
  const { edge } = port.settings;
  if (!isEnabled(port)) {
    const had = port.operEdge;
    port.operEdge = edge === true;
    return had !== port.operEdge;
  }
  const waited = !isRunning(tree, port.timers.edgeDelay);
  const isEdge = edge !== false && waited && port.sendRstp && port.proposing && port.role === "designated";
  if (port.operEdge || !isEdge) return false;
  port.operEdge = true;
  return true;
}
