/** The calls of an application to its connection (RFC 9293, section 3.9.1): send, close, abort, and reading on. */

import { sendMore } from "./send-more.ts";
import type { Piece } from "./send-queue.ts";
import { append, truncate } from "./send-queue.ts";
import type { Outlet, Tcb } from "./tcb.ts";
import { end } from "./timers.ts";
import { freeBytes, sendAcknowledgement, sendReset } from "./transmit.ts";

/** Queues bytes, and sends what the windows allow. Ignored after `close`. */
export function send(tcb: Tcb, piece: Piece, outlet: Outlet): void {
  if (tcb.isClosing || tcb.state === "CLOSED") return;
  append(tcb.queue, piece);
  sendMore(tcb, outlet);
}

/** Sends a FIN after what is queued. */
export function close(tcb: Tcb, outlet: Outlet): void {
  if (tcb.isClosing || tcb.state === "CLOSED") return;
  // RFC 9293 deletes the connection; what was sent before the close is queued for it here.
  if (tcb.state === "SYN-SENT" && tcb.queue.end === tcb.queue.start) {
    end(tcb, outlet);
    return;
  }
  tcb.isClosing = true;
  if (tcb.state === "CLOSE-WAIT") tcb.state = "LAST-ACK";
  else if (tcb.state === "ESTABLISHED") tcb.state = "FIN-WAIT-1";
  sendMore(tcb, outlet);
}

/** Drops what is queued and not sent. */
export function cutUnsent(tcb: Tcb): void {
  truncate(tcb.queue, Math.max(tcb.next, tcb.sent, tcb.queue.start));
}

export function abort(tcb: Tcb, outlet: Outlet): void {
  if (tcb.state === "CLOSED") return;
  if (tcb.state !== "SYN-SENT" && tcb.state !== "TIME-WAIT") sendReset(tcb, outlet);
  end(tcb, outlet, "aborted");
}

/** Stops or resumes reading; received bytes wait meanwhile, and fill the window. */
export function pause(tcb: Tcb, isPaused: boolean, outlet: Outlet): void {
  tcb.isPaused = isPaused;
  if (isPaused || tcb.unread === "") return;
  const bytes = tcb.unread;
  tcb.unread = "";
  outlet.report({ kind: "data", bytes: tcb.discards ? bytes.length : bytes });
  // The peer may wait for room: it hears of it at once.
  const gainBytes = tcb.receiveNext + freeBytes(tcb) - tcb.receiveEdge;
  if (gainBytes >= Math.min(tcb.settings.receiveBufferBytes / 2, tcb.receivedMssBytes))
    sendAcknowledgement(tcb, outlet);
}
