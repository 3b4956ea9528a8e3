/** A rule of policy routing as data, and as the line of text that configurations contain. */

import { formatAnyAddress, formatAnyPrefix } from "../../../../net/address/prefix.ts";
import type { AclFamily } from "../firewall/acl-spec.ts";
import { type PortRange, protocolName, type Rule } from "../firewall/rule.ts";

export interface PbrRule {
  readonly number: number;
  /** Undefined for packets of both families. */
  readonly family: AclFamily | undefined;
  /** What it asks for beside the family and the code point, as a rule of an access list does. */
  readonly match: Rule;
  readonly dscp: number | undefined;
  readonly action: PbrAction;
  /** The code point that the packet gets. */
  readonly mark: number | undefined;
}

/** `continue`: the rule only marks, and the table of routes decides. */
export type PbrAction =
  | { readonly kind: "nexthop"; readonly hops: readonly NextHop[] }
  | { readonly kind: "vrf"; readonly vrf: string }
  | { readonly kind: "drop" }
  | { readonly kind: "continue" };

export interface NextHop {
  readonly via: number | bigint;
  /** An address that answers pings by way of the next hop while it is in use. */
  readonly track: number | bigint | undefined;
}

/** Formats a rule in the one form that the stored configuration has; `parsePbrRule` reads it. */
export function formatPbrRule({ number, match, dscp, action, mark }: PbrRule): string {
  const { from, to, protocol, fromPorts, toPorts } = match;
  const conditions = [
    from && `src-ip ${formatAnyPrefix(from)}`,
    to && `dst-ip ${formatAnyPrefix(to)}`,
    protocol !== undefined && `ip-protocol ${protocolText(protocol)}`,
    fromPorts && `src-port ${portText(fromPorts)}`,
    toPorts && `dst-port ${portText(toPorts)}`,
    dscp !== undefined && `dscp ${dscp}`,
  ].filter((each) => typeof each === "string");
  const actions = [...(mark === undefined ? [] : [`dscp ${mark}`]), ...actionWords(action)];
  return [
    `seq ${number}`,
    ...(conditions.length > 0 ? ["match", ...conditions] : []),
    "set",
    ...actions,
  ].join(" ");
}

export const protocolText = (protocol: number): string =>
  protocol === 58 ? protocolName("ipv6", protocol) : protocolName("ipv4", protocol);

export const portText = ({ first, last }: PortRange): string =>
  first === last ? String(first) : `${first}-${last}`;

export const hopText = ({ via, track }: NextHop): string =>
  `nexthop ${formatAnyAddress(via)}${track === undefined ? "" : ` track ${formatAnyAddress(track)}`}`;

function actionWords(action: PbrAction): string[] {
  if (action.kind === "nexthop") return action.hops.map(hopText);
  if (action.kind === "vrf") return [`vrf ${action.vrf}`];
  return action.kind === "drop" ? ["drop"] : [];
}
