/** The variables of one port of a bundle; names are those of IEEE 802.1AX-2014, 6.4.4 to 6.4.8. */
import { LACP_STATE, type LacpEnd } from "../../../wire/lacp.ts";
import type { BundleSettings } from "./settings.ts";

export type ReceiveState = "disabled" | "expired" | "defaulted" | "current";
export type MuxState = "detached" | "waiting" | "attached" | "collecting" | "distributing";

export interface Member {
  readonly port: number;
  readonly bundle: BundleSettings;
  /** The key of the bundle, and the switch. */
  readonly key: number;
  readonly system: number;
  /** Whether the port has a link with a carrier (port_enabled). */
  isUp: boolean;
  receive: ReceiveState;
  mux: MuxState;
  selected: boolean;
  /** What the other end has said of itself, or the defaults. */
  partner: LacpEnd;
  /** How often the port sends: not at all, or as often as the partner asks for. */
  periodic: "none" | "slow" | "fast";
  /** A frame is to be sent (NTT). */
  needToTransmit: boolean;
  /** When each expires, in lab microseconds; a time that is not after now has expired. */
  currentUntilUs: number;
  periodicUs: number;
  waitUntilUs: number;
  /** Frames sent since the beginning of a second. */
  sent: number;
  sentSinceUs: number;
}

/** System and port priority of all switches and ports: the default of the standard. */
const PRIORITY = 32_768;

/** What is assumed of a partner that is not heard: it does not aggregate (recordDefault). */
export const NO_PARTNER: LacpEnd = {
  systemPriority: 0,
  system: 0,
  key: 0,
  portPriority: 0,
  port: 0,
  state: 0,
};

export const has = (end: LacpEnd, bit: keyof typeof LACP_STATE): boolean =>
  (end.state & LACP_STATE[bit]) !== 0;

export const withState = (end: LacpEnd, bit: keyof typeof LACP_STATE, isSet: boolean): LacpEnd => ({
  ...end,
  state: isSet ? end.state | LACP_STATE[bit] : end.state & ~LACP_STATE[bit],
});

export const isCollecting = ({ mux }: Member): boolean => mux === "collecting" || mux === "distributing";

/** What the port says of itself. */
export function actorOf(member: Member): LacpEnd {
  const { bundle, mux, receive } = member;
  const bits: [keyof typeof LACP_STATE, boolean][] = [
    ["activity", bundle.mode === "active"],
    ["timeout", bundle.rate === "fast"],
    ["aggregation", true],
    ["synchronization", mux === "attached" || isCollecting(member)],
    ["collecting", isCollecting(member)],
    ["distributing", mux === "distributing"],
    ["defaulted", receive === "defaulted"],
    ["expired", receive === "expired"],
  ];
  return {
    systemPriority: PRIORITY,
    system: member.system,
    key: member.key,
    portPriority: PRIORITY,
    port: member.port + 1,
    state: bits.reduce((state, [bit, isSet]) => (isSet ? state | LACP_STATE[bit] : state), 0),
  };
}

/** Whether two ends are the same port with the same key, and both aggregate or both do not. */
export const isSameEnd = (a: LacpEnd, b: LacpEnd): boolean =>
  isSameGroup(a, b) &&
  a.portPriority === b.portPriority &&
  a.port === b.port &&
  has(a, "aggregation") === has(b, "aggregation");

/** Whether two ends may be in one bundle: they have the same system and the same key. */
export const isSameGroup = (a: LacpEnd, b: LacpEnd): boolean =>
  a.systemPriority === b.systemPriority && a.system === b.system && a.key === b.key;
