/** A bulk transfer as text. */
import type { Transfer } from "./state.ts";

/** Bits per second from the first segment to the end; 0 if there is no time between. */
export const rateBps = ({ bytes, startUs, endUs }: Transfer): number =>
  endUs > startUs ? (8 * bytes * 1e6) / (endUs - startUs) : 0;

export function describeTransfer(transfer: Transfer): string {
  const { direction, peer, port, bytes, startUs, endUs, retransmissions, timeouts, ecnReductions, failure } =
    transfer;
  const seconds = ((endUs - startUs) / 1e6).toFixed(3);
  const way = direction === "sent" ? `sent to ${peer} port ${port}` : `received from ${peer} at port ${port}`;
  const losses = direction === "sent" ? `, ${retransmissions} retransmissions, ${timeouts} timeouts` : "";
  const marks =
    direction === "sent" && ecnReductions !== undefined ? `, ${ecnReductions} reductions by ECN` : "";
  const end = failure === undefined ? "" : `, ${failure}`;
  return `${way}: ${bytes} bytes in ${seconds} s, ${formatRate(rateBps(transfer))}${losses}${marks}${end}`;
}

const formatRate = (bps: number): string =>
  bps >= 1e6 ? `${(bps / 1e6).toFixed(2)} Mb/s` : `${(bps / 1e3).toFixed(2)} kb/s`;
