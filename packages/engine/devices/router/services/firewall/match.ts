/** Whether a rule matches a packet. */

import { contains4, contains6, type Prefix4, type Prefix6 } from "../../../../net/address/prefix.ts";
import { type Fields, NONE } from "../../../../net/packet/fields.ts";
import { TCP_ACK, TCP_RST } from "../../../../wire/tcp.ts";
import type { PacketState, PortRange, Rule } from "./rule.ts";

/** @param state undefined if connections are not tracked; no rule asks for it then. */
export function matches(
  rule: Rule,
  packet: Fields<number | bigint>,
  state: PacketState | undefined,
): boolean {
  if (rule.protocol !== undefined && rule.protocol !== packet.protocol) return false;
  if (rule.from !== undefined && !holds(rule.from, packet.source)) return false;
  if (rule.to !== undefined && !holds(rule.to, packet.target)) return false;
  // A later fragment has no ports. It passes if a rule permits its addresses: without the first fragment it is useless.
  if (packet.isLaterFragment && !looksNoFurther(rule)) return rule.action === "permit";
  return (
    isIn(rule.fromPorts, packet.sourcePort) &&
    isIn(rule.toPorts, packet.targetPort) &&
    (rule.icmpType === undefined || rule.icmpType === packet.icmpType) &&
    (rule.icmpCode === undefined || rule.icmpCode === packet.icmpCode) &&
    (!rule.established || (packet.flags !== NONE && (packet.flags & (TCP_ACK | TCP_RST)) !== 0)) &&
    (rule.states.length === 0 || (state !== undefined && rule.states.includes(state)))
  );
}

/** Whether a rule asks for nothing beyond addresses and protocol. */
const looksNoFurther = ({ fromPorts, toPorts, icmpType, established, states }: Rule): boolean =>
  fromPorts === undefined &&
  toPorts === undefined &&
  icmpType === undefined &&
  !established &&
  states.length === 0;

const holds = (prefix: Prefix4 | Prefix6, address: number | bigint): boolean =>
  typeof address === "number" ? contains4(prefix as Prefix4, address) : contains6(prefix as Prefix6, address);

const isIn = (range: PortRange | undefined, port: number): boolean =>
  range === undefined || (range.first <= port && port <= range.last);
