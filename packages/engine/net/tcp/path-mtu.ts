/** A link on the path takes only smaller packets (RFC 1191, section 6.4; RFC 8201). */
import { flightBytes, type Outlet, type Tcb } from "./tcb.ts";
import { resendAll } from "./timers.ts";

/** As Linux: smaller reports are forged, or make segments of a few bytes. */
const MIN_MSS_BYTES = 500;

/** @param mssBytes what the path takes, without the headers and with the options. */
export function shrinkSegments(tcb: Tcb, mssBytes: number, outlet: Outlet): void {
  const bytes = Math.max(MIN_MSS_BYTES, mssBytes - (tcb.usesTimestamps ? 12 : 0));
  if (bytes >= tcb.mssBytes) return;
  tcb.mssBytes = bytes;
  // The window counts bytes and stays. What is in flight is lost, but not by congestion.
  if (flightBytes(tcb) > 0) resendAll(tcb, outlet);
}
