/** `show access-lists`, `show logging`, `show connections`, and the commands that clear what they show. */

import { formatTable } from "../../../../base/text-table.ts";
import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import { FAMILY_NAMES } from "./acl-spec.ts";
import type { Connection } from "./connections.ts";
import type { Firewall } from "./firewall.ts";
import { protocolName } from "./rule.ts";
import { TCP_PHASE_NAMES } from "./tcp-phase.ts";
import { hasPorts, isIcmp, isRequest, type Tuple } from "./tuple.ts";

type Lines = readonly string[];

export function showAccessLists(firewall: Firewall): Lines {
  const lists = firewall.lists.list();
  if (lists.length === 0) return ["No access lists"];
  return lists.flatMap(({ spec, hits }) => [
    `${FAMILY_NAMES[spec.family]} access list ${spec.name}`,
    ...spec.rules.map((rule, index) => `    ${rule} (${packets(hits[index]!)})`),
    `    any other packet is denied (${packets(hits[spec.rules.length]!)})`,
  ]);
}

const packets = (count: number): string => (count === 1 ? "1 packet" : `${count} packets`);

export function showLogging({ lists }: Firewall): Lines {
  const { log, logged } = lists;
  return [
    `${logged === 1 ? "1 line" : `${logged} lines`} since the log was cleared, the last ${log.length} of them:`,
    ...log,
  ];
}

export function showConnections(firewall: Firewall, nowUs: number): Lines {
  if (!firewall.tracks)
    return ["Connections are not tracked: no rule has `state`, and no address is translated"];
  const { ipv4, ipv6 } = firewall.listConnections();
  const rows = [
    ...ipv4.map((each) => row(each, "ipv4", nowUs)),
    ...ipv6.map((each) => row(each, "ipv6", nowUs)),
  ];
  const count = `${rows.length} of ${firewall.limits.limit} connections`;
  return rows.length === 0
    ? [count]
    : [...formatTable(["Protocol", "From", "To", "State", "Expires in"], rows), count];
}

const row = (connection: Connection<number | bigint>, family: "ipv4" | "ipv6", nowUs: number): string[] => [
  protocolName(family, connection.original.protocol),
  sourceText(connection.original),
  targetText(connection.original),
  stateText(connection),
  `${Math.ceil((connection.expiresUs - nowUs) / 1_000_000)} s`,
];

function stateText({ original, phase, isReplied }: Connection<number | bigint>): string {
  if (original.protocol === 6) return TCP_PHASE_NAMES[phase];
  return isReplied ? "answered" : "unanswered";
}

/** An address with its port, or with the identifier of a query. */
export function sourceText(tuple: Tuple<number | bigint>): string {
  return isRequest(tuple) ? withPort(tuple, tuple.source, tuple.sourcePort) : formatAnyAddress(tuple.source);
}

/** An address with its port, or with the identifier of a response. */
export function targetText(tuple: Tuple<number | bigint>): string {
  const isAsked = isIcmp(tuple.protocol) && isRequest(tuple);
  return isAsked ? formatAnyAddress(tuple.target) : withPort(tuple, tuple.target, tuple.targetPort);
}

function withPort({ protocol }: Tuple<number | bigint>, address: number | bigint, port: number): string {
  const text = formatAnyAddress(address);
  if (!hasPorts(protocol) && !isIcmp(protocol)) return text;
  return typeof address === "number" ? `${text}:${port}` : `[${text}]:${port}`;
}
