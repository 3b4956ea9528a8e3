/** The form of a port of a bundle between two runs. No frame moves between runs, so timers keep the time that was left of them. */
import type { LacpEnd } from "../../../wire/lacp.ts";
import type { Member, MuxState, ReceiveState } from "./member.ts";

type SavedEnd = [
  systemPriority: number,
  system: number,
  key: number,
  portPriority: number,
  port: number,
  state: number,
];

export type SavedMember = [
  port: number,
  /** 1: it has a carrier; 2: it is selected; 4: a frame is to be sent. */
  flags: number,
  receive: ReceiveState,
  mux: MuxState,
  periodic: Member["periodic"],
  partner: SavedEnd,
  /** Microseconds left: of the partner's information, until the next frame, of the wait. */
  timers: [currentUs: number, periodicUs: number, waitUs: number],
];

const UP = 1;
const SELECTED = 2;
const NEED = 4;

export function saveMember(member: Member, nowUs: number): SavedMember {
  const left = (untilUs: number): number => Math.max(0, untilUs - nowUs);
  const { systemPriority, system, key, portPriority, port, state } = member.partner;
  return [
    member.port,
    (member.isUp ? UP : 0) | (member.selected ? SELECTED : 0) | (member.needToTransmit ? NEED : 0),
    member.receive,
    member.mux,
    member.periodic,
    [systemPriority, system, key, portPriority, port, state],
    [left(member.currentUntilUs), left(member.periodicUs), left(member.waitUntilUs)],
  ];
}

/** A port whose link has gone since is down. */
export function restoreMember(member: Member, saved: SavedMember, nowUs: number): void {
  const [, flags, receive, mux, periodic, partner, [currentUs, periodicUs, waitUs]] = saved;
  member.isUp &&= (flags & UP) !== 0;
  member.selected = (flags & SELECTED) !== 0;
  member.needToTransmit = (flags & NEED) !== 0;
  member.receive = receive;
  member.mux = mux;
  member.periodic = periodic;
  member.partner = restoreEnd(partner);
  member.currentUntilUs = nowUs + currentUs;
  member.periodicUs = nowUs + periodicUs;
  member.waitUntilUs = nowUs + waitUs;
}

const restoreEnd = ([systemPriority, system, key, portPriority, port, state]: SavedEnd): LacpEnd => ({
  systemPriority,
  system,
  key,
  portPriority,
  port,
  state,
});
