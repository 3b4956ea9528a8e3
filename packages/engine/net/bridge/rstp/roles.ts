/** Selects the root and the role of each port (IEEE 802.1D-2004, 17.28 and updtRolesTree, 17.21.25). */
import type { Role, RstpPort } from "./port.ts";
import type { Tree } from "./tree.ts";
import { compareVectors, type PriorityVector, sameTimes } from "./vector.ts";

/** @returns whether it selected roles. */
export function selectRoles(tree: Tree): boolean {
  if (!tree.ports.some((port) => port.reselect)) return false;
  for (const port of tree.ports) port.reselect = false;
  selectRoot(tree);
  for (const port of tree.ports) {
    port.designatedPriority = {
      root: tree.rootPriority.root,
      cost: tree.rootPriority.cost,
      bridge: tree.bridgeId,
      port: port.id,
    };
    port.designatedTimes = { ...tree.rootTimes, helloTime: tree.bridgeTimes.helloTime };
    const [role, updtInfo] = roleOf(tree, port);
    port.selectedRole = role;
    port.updtInfo = updtInfo;
    port.selected = true;
  }
  return true;
}

function selectRoot(tree: Tree): void {
  const { bridgeId } = tree;
  let best: PriorityVector = { root: bridgeId, cost: 0, bridge: bridgeId, port: 0 };
  let bestPort: RstpPort | undefined;
  for (const port of tree.ports) {
    if (port.infoIs !== "received" || port.settings.root_guard) continue;
    if (port.portPriority.bridge.mac === bridgeId.mac) continue;
    const path = { ...port.portPriority, cost: port.portPriority.cost + port.settings.cost };
    const order = compareVectors(path, best);
    if (order > 0 || (order === 0 && bestPort !== undefined && bestPort.id < port.id)) continue;
    best = path;
    bestPort = port;
  }
  tree.rootPriority = best;
  tree.rootPort = bestPort?.number;
  // The age is rounded to whole seconds (17.21.25).
  tree.rootTimes = bestPort
    ? { ...bestPort.portTimes, messageAge: Math.round(bestPort.portTimes.messageAge + 1) }
    : tree.bridgeTimes;
}

/** @returns the role, and whether the port's own information replaces what it has. */
function roleOf(tree: Tree, port: RstpPort): [role: Role, updtInfo: boolean] {
  const { portPriority, designatedPriority, portTimes, designatedTimes } = port;
  switch (port.infoIs) {
    case "disabled":
      return ["disabled", false];
    case "aged":
      return ["designated", true];
    case "mine": {
      const isSame =
        compareVectors(portPriority, designatedPriority) === 0 && sameTimes(portTimes, designatedTimes);
      return ["designated", !isSame];
    }
    case "received":
      if (tree.rootPort === port.number) return ["root", false];
      if (compareVectors(designatedPriority, portPriority) < 0) return ["designated", true];
      return [portPriority.bridge.mac === tree.bridgeId.mac ? "backup" : "alternate", false];
  }
}
