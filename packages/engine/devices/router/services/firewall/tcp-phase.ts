/**
 * The phase of a tracked TCP connection (RFC 9293, section 3.3.2), as one that only watches can know it. Sequence numbers are not
 * looked at.
 *
 *     SYN -> opening     SYN, ACK back -> answered     ACK -> open     FIN both ways, or RST -> closed
 */
import { TCP_ACK, TCP_FIN, TCP_RST, TCP_SYN } from "../../../../wire/tcp.ts";

export const OPENING = 0;
export const ANSWERED = 1;
export const OPEN = 2;
/** One side has sent FIN. */
export const CLOSING = 3;
export const CLOSED = 4;
/** Both sides have sent SYN: each has to acknowledge that of the other (RFC 9293, section 3.5, simultaneous open). */
export const CROSSED = 5;
export type TcpPhase = 0 | 1 | 2 | 3 | 4 | 5;

export const TCP_PHASE_NAMES = ["opening", "answered", "open", "closing", "closed", "crossed"] as const;

export interface TcpWatch {
  phase: TcpPhase;
  /** Bit 0: the original direction has sent FIN; bit 1: the reply direction. Bit 2: both have sent SYN. */
  fins: number;
}

const BOTH_FINS = 3;
const BOTH_SYNS = 4;

/** Whether the flags can be together: one of SYN, FIN and RST at most, and ACK if there is neither SYN nor RST. */
export function arePossible(flags: number): boolean {
  const control = flags & (TCP_SYN | TCP_FIN | TCP_RST);
  if (control !== 0 && (control & (control - 1)) !== 0) return false;
  return (flags & (TCP_SYN | TCP_RST | TCP_ACK)) !== 0;
}

/** Whether a segment may begin a connection. */
export const beginsTcp = (flags: number): boolean =>
  (flags & (TCP_SYN | TCP_ACK | TCP_FIN | TCP_RST)) === TCP_SYN;

/** What a segment does to its connection; `reopens`: it begins a new one with the same ends. */
export type TcpVerdict = "valid" | "invalid" | "reopens";

/** Takes a segment with possible flags into account. @param isReply it is of the reply direction. */
export function watchTcp(watch: TcpWatch, flags: number, isReply: boolean): TcpVerdict {
  if (flags & TCP_RST) {
    watch.phase = CLOSED;
    return "valid";
  }
  if (flags & TCP_SYN) return isReply ? watchReplySyn(watch, flags) : watchSyn(watch, flags);
  if (watch.phase === OPENING || watch.phase === CROSSED)
    return isReply && !(flags & TCP_FIN) ? "valid" : "invalid";
  // As Linux: after a simultaneous open, the reply direction may be the first to acknowledge.
  const isFirstOfReply = isReply && (watch.fins & BOTH_SYNS) !== 0 && !(flags & TCP_FIN);
  if (watch.phase === ANSWERED && (!isReply || isFirstOfReply)) watch.phase = OPEN;
  if (flags & TCP_FIN && watch.phase !== CLOSED) {
    watch.fins |= isReply ? 2 : 1;
    watch.phase = (watch.fins & BOTH_FINS) === BOTH_FINS ? CLOSED : CLOSING;
  }
  return "valid";
}

function watchSyn(watch: TcpWatch, flags: number): TcpVerdict {
  if (flags & TCP_ACK) {
    if (watch.phase !== CROSSED) return watch.phase === ANSWERED ? "valid" : "invalid";
    watch.phase = ANSWERED;
    return "valid";
  }
  if (watch.phase === ANSWERED) watch.fins &= BOTH_FINS;
  return watch.phase === CLOSED ? "reopens" : "valid";
}

function watchReplySyn(watch: TcpWatch, flags: number): TcpVerdict {
  const isOpening = watch.phase === OPENING || watch.phase === CROSSED;
  if (!(flags & TCP_ACK) && !isOpening) return "invalid";
  if (!isOpening) return "valid";
  watch.phase = flags & TCP_ACK ? ANSWERED : CROSSED;
  if (watch.phase === CROSSED) watch.fins |= BOTH_SYNS;
  return "valid";
}
