/** The reasons for which a session ends. `wire/bgp-text` has the words for them. */
import { type BgpNotification, ERROR } from "../../wire/bgp.ts";

export const notification = (
  code: number,
  subcode: number,
  data: Uint8Array = new Uint8Array(0),
): BgpNotification => ({ code, subcode, data });

export const cease = (subcode: number): BgpNotification => notification(ERROR.cease, subcode);
export const HOLD_TIMER_EXPIRED = notification(ERROR.holdTimer, 0);
/** RFC 6608. */
export const UNEXPECTED_MESSAGE = { OpenSent: 1, OpenConfirm: 2, Established: 3 } as const;
