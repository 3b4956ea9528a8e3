/** Hello packets: sent (RFC 2328, section 9.5) and received (section 10.5). */

import { maskOf } from "../../wire/ipv4-address.ts";
import { ALL_SPF_ROUTERS, type Hello, OPTION, OSPF } from "../../wire/ospf.ts";
import { areaOf, optionsOf } from "./database.ts";
import { addNeighbour, hear, neighbourKey, receiveOneWay, receiveTwoWay, setState } from "./neighbours.ts";
import { type Refusal, refuse } from "./refusals.ts";
import { send } from "./sending.ts";
import { type Interface, isAtLeast, type Neighbour, type Ospf } from "./state.ts";

const SECOND_US = 1_000_000;

/** Whether the router sends and takes packets at the interface. */
export const isActive = ({ config }: Interface): boolean =>
  !config.isPassive && config.network !== "loopback";

/** Sends the first hello now, and the next ones at their interval. */
export function beginHellos(ospf: Ospf, iface: Interface): void {
  if (isActive(iface)) ospf.timers.set("hello", iface.slot, ospf.host.nowUs);
}

export function sendHello(ospf: Ospf, iface: Interface): void {
  const { config } = iface;
  const { helloSeconds, deadSeconds, priority, prefixLength } = config;
  const neighbours = [...iface.neighbours.values()]
    .filter((each) => isAtLeast(each, "init"))
    .map(({ id }) => id);
  const hello = {
    mask: maskOf(prefixLength),
    helloSeconds,
    options: optionsOf(areaOf(ospf, iface)),
    priority,
    deadSeconds,
    designated: iface.designated,
    backup: iface.backup,
    neighbours,
  };
  send(ospf, iface, ALL_SPF_ROUTERS, { type: OSPF.hello, hello });
  ospf.timers.set("hello", iface.slot, ospf.host.nowUs + helloSeconds * SECOND_US);
}

export function receiveHello(ospf: Ospf, iface: Interface, id: number, address: number, hello: Hello): void {
  const refusal = refusalOf(ospf, iface, hello);
  if (refusal !== undefined) {
    refuse(iface, refusal);
    return;
  }
  const known = iface.neighbours.get(neighbourKey(iface, id, address));
  const neighbour = known ?? addNeighbour(ospf, iface, id, address);
  const before = { ...neighbour };
  if (iface.config.network === "point-to-point") neighbour.address = address;
  else neighbour.id = id;
  neighbour.priority = hello.priority;
  neighbour.designated = hello.designated;
  neighbour.backup = hello.backup;
  hear(ospf, iface, neighbour);
  if (neighbour.state === "down") {
    setState(ospf, iface, neighbour, "init", "hello received");
    // So that the neighbour hears of the router before its next hello.
    ospf.timers.set("hello", iface.slot, ospf.host.nowUs);
  }
  if (!hello.neighbours.includes(ospf.config.routerId)) {
    receiveOneWay(ospf, iface, neighbour);
    return;
  }
  receiveTwoWay(ospf, iface, neighbour);
  if (iface.config.network === "broadcast") reviewClaims(iface, before, neighbour, known !== undefined);
}

/** What the routers on a link must agree about. */
function refusalOf(ospf: Ospf, iface: Interface, hello: Hello): Refusal | undefined {
  const { config } = iface;
  if (config.network === "broadcast" && hello.mask !== maskOf(config.prefixLength)) return "mask";
  if (hello.helloSeconds !== config.helloSeconds) return "hello interval";
  if (hello.deadSeconds !== config.deadSeconds) return "dead interval";
  const isStub = areaOf(ospf, iface).config.kind === "stub";
  return isStub === ((hello.options & OPTION.external) !== 0) ? "stub area" : undefined;
}

/** Whether the neighbour claims a role, or gives one up: then the router elects again, or need not wait any longer. */
function reviewClaims(
  iface: Interface,
  before: Pick<Neighbour, "priority" | "designated" | "backup">,
  { address, priority, designated, backup }: Neighbour,
  isKnown: boolean,
): void {
  const claimed = (claims: Pick<Neighbour, "designated" | "backup">): string =>
    `${claims.designated === address} ${claims.backup === address}`;
  if (isKnown && before.priority !== priority) iface.isElectionDue = true;
  if (claimed(before) !== claimed({ designated, backup })) iface.isElectionDue = true;
  const isBackupSeen = backup === address || (designated === address && backup === 0);
  if (iface.state === "waiting" && isBackupSeen) iface.isBackupSeen = true;
}
