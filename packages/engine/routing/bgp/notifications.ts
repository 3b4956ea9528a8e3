/** The reasons for which a session ends, and the words of FRR for them. */
import { type BgpNotification, CEASE, ERROR, OPEN_ERROR } from "../../wire/bgp.ts";

export const notification = (
  code: number,
  subcode: number,
  data: Uint8Array = new Uint8Array(0),
): BgpNotification => ({ code, subcode, data });

export const cease = (subcode: number): BgpNotification => notification(ERROR.cease, subcode);
export const HOLD_TIMER_EXPIRED = notification(ERROR.holdTimer, 0);
/** RFC 6608. */
export const UNEXPECTED_MESSAGE = { OpenSent: 1, OpenConfirm: 2, Established: 3 } as const;

const CODES: Readonly<Record<number, string>> = {
  [ERROR.header]: "Message Header Error",
  [ERROR.open]: "OPEN Message Error",
  [ERROR.update]: "UPDATE Message Error",
  [ERROR.holdTimer]: "Hold Timer Expired",
  [ERROR.stateMachine]: "Neighbor Events Error",
  [ERROR.cease]: "Cease",
  [ERROR.refresh]: "ROUTE-REFRESH Message Error",
};

const SUBCODES: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  [ERROR.header]: { 1: "Connection Not Synchronized", 2: "Bad Message Length", 3: "Bad Message Type" },
  [ERROR.open]: {
    [OPEN_ERROR.version]: "Unsupported Version Number",
    [OPEN_ERROR.peerAs]: "Bad Peer AS",
    [OPEN_ERROR.identifier]: "Bad BGP Identifier",
    [OPEN_ERROR.parameter]: "Unsupported Optional Parameter",
    [OPEN_ERROR.holdTime]: "Unacceptable Hold Time",
    [OPEN_ERROR.capability]: "Unsupported Capability",
  },
  [ERROR.update]: {
    1: "Malformed Attribute List",
    2: "Unrecognized Well-known Attribute",
    3: "Missing Well-known Attribute",
    4: "Attribute Flags Error",
    5: "Attribute Length Error",
    6: "Invalid ORIGIN Attribute",
    8: "Invalid NEXT_HOP Attribute",
    9: "Optional Attribute Error",
    10: "Invalid Network Field",
    11: "Malformed AS_PATH",
  },
  [ERROR.cease]: {
    [CEASE.maximumPrefixes]: "Maximum Number of Prefixes Reached",
    [CEASE.administrativeShutdown]: "Administrative Shutdown",
    [CEASE.deconfigured]: "Peer De-configured",
    [CEASE.administrativeReset]: "Administrative Reset",
    [CEASE.rejected]: "Connection Rejected",
    [CEASE.configurationChange]: "Other Configuration Change",
    [CEASE.collision]: "Connection Collision Resolution",
    [CEASE.resources]: "Out of Resources",
  },
};

/** `OPEN Message Error/Bad Peer AS`. */
export function wordsOf({ code, subcode }: BgpNotification): string {
  const name = CODES[code] ?? `Error ${code}`;
  const more = SUBCODES[code]?.[subcode] ?? (subcode === 0 ? undefined : `Subcode ${subcode}`);
  return more === undefined ? name : `${name}/${more}`;
}
