/** Takes a packet (RFC 2328, section 8.2) and passes it to what handles its type. */

import { maskOf } from "../../wire/ipv4-address.ts";
import { ALL_D_ROUTERS, ALL_SPF_ROUTERS, OSPF } from "../../wire/ospf.ts";
import { verifyOspf } from "../../wire/ospf-authentication.ts";
import { type Content, readContent } from "./content.ts";
import { receiveDescription, receiveRequest } from "./exchange.ts";
import { receiveAcknowledgment } from "./flooding.ts";
import { isActive, receiveHello } from "./hello.ts";
import { neighbourKey } from "./neighbours.ts";
import { type Refusal, refuse } from "./refusals.ts";
import type { Interface, Ospf } from "./state.ts";
import { receiveUpdate } from "./update.ts";

/** A packet as it arrived. */
export interface Arrived {
  readonly source: number;
  readonly target: number;
  /** The payload of the IP packet. */
  readonly packet: Uint8Array;
  /** What is in the packet, if its bytes are those that another router sent without a signature. */
  readonly content: Content | undefined;
}

export function receivePacket(ospf: Ospf, iface: Interface, arrived: Arrived): void {
  if (!isActive(iface)) return;
  const { source, packet } = arrived;
  const isSigned = iface.config.authentication.type !== "none";
  const verdict = arrived.content && !isSigned ? undefined : verifyOspf(packet, iface.config.authentication);
  if (verdict?.isAuthentic === false) {
    refuse(iface, ["malformed", "checksum"].includes(verdict.reason) ? "malformed" : "authentication");
    return;
  }
  const content = arrived.content ?? readContent(packet);
  const refusal = content === undefined ? "malformed" : refusalOf(ospf, iface, arrived, content);
  if (content === undefined || refusal !== undefined) {
    refuse(iface, refusal ?? "malformed");
    return;
  }
  if (!isNewSequence(iface, content, source, verdict?.sequence)) {
    refuse(iface, "authentication");
    return;
  }
  dispatch(ospf, iface, source, content);
}

function refusalOf(
  ospf: Ospf,
  iface: Interface,
  { source, target }: Arrived,
  content: Content,
): Refusal | undefined {
  const { config, state } = iface;
  const isOfSubnet = ((source ^ config.address) & maskOf(config.prefixLength)) === 0;
  if (config.network === "broadcast" && !isOfSubnet) return "source";
  if (content.areaId !== config.areaId) return "area";
  if (content.routerId === ospf.config.routerId) return "duplicate router id";
  if (target === ALL_D_ROUTERS && state !== "designated" && state !== "backup") return "destination";
  return target === ALL_D_ROUTERS || target === ALL_SPF_ROUTERS || target === config.address
    ? undefined
    : "destination";
}

/** Appendix D.4.3: the numbers of a neighbour's signed packets do not decrease. */
function isNewSequence(
  iface: Interface,
  { routerId }: Content,
  source: number,
  sequence: number | undefined,
): boolean {
  if (sequence === undefined) return true;
  const neighbour = iface.neighbours.get(neighbourKey(iface, routerId, source));
  if (neighbour === undefined) return true;
  if (sequence < neighbour.sequence) return false;
  neighbour.sequence = sequence;
  return true;
}

function dispatch(ospf: Ospf, iface: Interface, source: number, content: Content): void {
  if (content.type === OSPF.hello) {
    receiveHello(ospf, iface, content.routerId, source, content.hello);
    return;
  }
  const neighbour = iface.neighbours.get(neighbourKey(iface, content.routerId, source));
  if (neighbour === undefined || neighbour.id !== content.routerId) {
    refuse(iface, "neighbour unknown");
    return;
  }
  switch (content.type) {
    case OSPF.description:
      receiveDescription(ospf, iface, neighbour, content.description);
      break;
    case OSPF.request:
      receiveRequest(ospf, iface, neighbour, content.names);
      break;
    case OSPF.update:
      receiveUpdate(ospf, iface, neighbour, content.lsas);
      break;
    case OSPF.acknowledgment:
      receiveAcknowledgment(ospf, neighbour, content.headers);
      break;
  }
}
