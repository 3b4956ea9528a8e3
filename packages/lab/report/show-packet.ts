/** Shows logged frames to people. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import { decodePacket, unreadOf } from "@wirelab/engine/wire/summary";
import type { LoggedFrame } from "../play/frame-log.ts";
import type { ShownPacket } from "./report.ts";

/** `10.0.0.1 > 10.0.0.2 ICMP echo request, id 1, seq 1` */
export function summarize(frame: Uint8Array): string {
  const { source, target, protocol, info, vlan } = decodePacket(frame, frame.length, "DLT_EN10MB");
  const unread = unreadOf(frame, "DLT_EN10MB");
  const line =
    `${source ?? "?"} > ${target ?? "?"} ${vlan === null ? "" : `vlan ${vlan} `}${protocol} ${info}`.trimEnd();
  return unread === undefined ? line : `${line} (${unread})`;
}

/** In words: `dropped by packet_loss`. */
export const dropWords = (filter: string): string =>
  filter === "suspend" ? "the link is down" : `dropped by ${filter}`;

export function fateOf({ droppedBy, arrivedNs, discardedFor, to, frame, passed }: LoggedFrame): string {
  if (droppedBy !== undefined) return dropWords(droppedBy);
  if (arrivedNs === undefined) return "in flight";
  const corrupted = passed === frame ? "" : "corrupted, ";
  return discardedFor === undefined
    ? `${corrupted}arrived`
    : `${corrupted}arrived; ${to} discards it: ${discardedFor}`;
}

export const showPacket = (logged: LoggedFrame): ShownPacket => ({
  at: logged.enteredNs / NS_PER_SECOND,
  link: logged.link,
  from: logged.from,
  to: logged.to,
  summary: summarize(logged.frame),
  fate: fateOf(logged),
});
