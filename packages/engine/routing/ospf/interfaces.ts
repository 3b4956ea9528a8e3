/** The states of interfaces (RFC 2328, section 9): up and down, the waiting time, and the election. */

import type { InterfaceConfig } from "./config.ts";
import { type Candidate, elect } from "./election.ts";
import { beginHellos } from "./hello.ts";
import { removeNeighbour, reviewAdjacency } from "./neighbours.ts";
import { type Interface, type InterfaceState, isAtLeast, type Ospf } from "./state.ts";

const SECOND_US = 1_000_000;

/** Event InterfaceUp. */
export function addInterface(ospf: Ospf, config: InterfaceConfig): Interface {
  const iface: Interface = {
    config,
    slot: ospf.nextSlot++,
    state: firstState(config),
    designated: 0,
    backup: 0,
    neighbours: new Map(),
    database: new Map(),
    outgoing: new Map(),
    sentBack: new Map(),
    acknowledgments: [],
    isElectionDue: false,
    isBackupSeen: false,
    sequence: 0,
    refused: new Map(),
  };
  ospf.interfaces.set(config.port, iface);
  ospf.isOriginationDue = true;
  if (iface.state === "waiting")
    ospf.timers.set("wait", iface.slot, ospf.host.nowUs + config.deadSeconds * SECOND_US);
  beginHellos(ospf, iface);
  return iface;
}

/** A passive interface hears no other router: it is the designated one at once. */
function firstState({ network, priority, isPassive }: InterfaceConfig): InterfaceState {
  if (network !== "broadcast") return network;
  if (priority === 0) return "other";
  return isPassive ? "designated" : "waiting";
}

/** Event InterfaceDown. */
export function removeInterface(ospf: Ospf, iface: Interface, why: string): void {
  for (const neighbour of iface.neighbours.values()) removeNeighbour(ospf, iface, neighbour, why);
  for (const name of ["hello", "wait", "acknowledge", "flood"] as const) ospf.timers.clear(name, iface.slot);
  iface.state = "down";
  ospf.interfaces.delete(iface.config.port);
  ospf.isOriginationDue = true;
}

/** Events WaitTimer and BackupSeen: the router knows enough of the link to elect. */
export function endWaiting(ospf: Ospf, iface: Interface): void {
  if (iface.state !== "waiting") return;
  ospf.timers.clear("wait", iface.slot);
  iface.isBackupSeen = false;
  iface.state = "other";
  iface.isElectionDue = true;
}

/** Elects where the state of a neighbour or what it claims has changed (event NeighborChange). */
export function holdElections(ospf: Ospf): void {
  for (const iface of ospf.interfaces.values()) {
    if (iface.isBackupSeen) endWaiting(ospf, iface);
    if (!iface.isElectionDue) continue;
    iface.isElectionDue = false;
    if (iface.config.network === "broadcast" && iface.state !== "waiting" && !iface.config.isPassive)
      holdElection(ospf, iface);
  }
}

function holdElection(ospf: Ospf, iface: Interface): void {
  const { config, designated, backup } = iface;
  const own: Candidate = {
    id: ospf.config.routerId,
    address: config.address,
    priority: config.priority,
    designated,
    backup,
  };
  const others = [...iface.neighbours.values()].filter((neighbour) => isAtLeast(neighbour, "2-way"));
  const elected = elect(own, others);
  const before = iface.state;
  iface.designated = elected.designated;
  iface.backup = elected.backup;
  iface.state = stateOf(iface);
  const isSame = designated === elected.designated && backup === elected.backup && before === iface.state;
  if (isSame) return;
  ospf.isOriginationDue = true;
  // Step 7: the roles decide with whom there are adjacencies.
  for (const neighbour of iface.neighbours.values())
    if (isAtLeast(neighbour, "2-way")) reviewAdjacency(ospf, iface, neighbour);
}

function stateOf({ config, designated, backup }: Interface): InterfaceState {
  if (designated === config.address) return "designated";
  return backup === config.address ? "backup" : "other";
}
