/** Sends database descriptions and requests for LSAs (RFC 2328, sections 10.8 and 10.9). */
import {
  DD_FLAG,
  DESCRIPTION_OVERHEAD,
  type Description,
  OPTION,
  OSPF,
  OSPF_HEADER_BYTES,
} from "../../wire/ospf.ts";
import { LSA_HEADER_BYTES } from "../../wire/ospf-lsa.ts";
import { areaOf, optionsOf } from "./database.ts";
import { directTarget, mostBytes, send } from "./sending.ts";
import type { Interface, Neighbour, Ospf } from "./state.ts";

const SECOND_US = 1_000_000;
const REQUEST_BYTES = 12;

/** Sends the next part of the description. */
export function sendDescription(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { exchange, state } = neighbour;
  const isFirst = state === "exstart";
  const most = Math.floor((mostBytes(iface) - (DESCRIPTION_OVERHEAD - OSPF_HEADER_BYTES)) / LSA_HEADER_BYTES);
  const headers = isFirst ? [] : exchange.summary.slice(0, most);
  if (!isFirst) exchange.summary = exchange.summary.slice(headers.length);
  const hasMore = isFirst || exchange.summary.length > 0;
  exchange.lastSent = {
    mtuBytes: iface.config.mtuBytes,
    options: optionsOf(areaOf(ospf, iface)) | OPTION.opaque,
    flags:
      (isFirst ? DD_FLAG.init : 0) | (hasMore ? DD_FLAG.more : 0) | (exchange.isMaster ? DD_FLAG.master : 0),
    sequence: exchange.sequence,
    headers,
  };
  repeatDescription(ospf, iface, neighbour);
}

/** Sends the last part again; the master does until it is answered. */
export function repeatDescription(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { lastSent, isMaster } = neighbour.exchange;
  if (lastSent === undefined) return;
  send(ospf, iface, directTarget(iface, neighbour), { type: OSPF.description, description: lastSent });
  if (isMaster) ospf.timers.set("description", neighbour.slot, retransmitAtUs(ospf, iface));
}

export const hasMoreToDescribe = ({ exchange }: Neighbour): boolean => hasMore(exchange.lastSent);
export const hasMore = (description: Pick<Description, "flags"> | undefined): boolean =>
  description !== undefined && (description.flags & DD_FLAG.more) !== 0;

/** Asks for the next LSAs that the neighbour has newer; one packet is on its way at a time. */
export function sendRequest(ospf: Ospf, iface: Interface, neighbour: Neighbour): void {
  const { requests, exchange, slot } = neighbour;
  const most = Math.floor(mostBytes(iface) / REQUEST_BYTES);
  const names = [...requests.values().take(most)].map(({ lsa }) => lsa);
  exchange.requested = names.map(({ key }) => key);
  if (names.length === 0) {
    ospf.timers.clear("request", slot);
    return;
  }
  send(ospf, iface, directTarget(iface, neighbour), { type: OSPF.request, names });
  ospf.timers.set("request", slot, retransmitAtUs(ospf, iface));
}

const retransmitAtUs = (ospf: Ospf, { config }: Interface): number =>
  ospf.host.nowUs + config.retransmitSeconds * SECOND_US;
