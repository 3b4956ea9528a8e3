/** New connections: the SYN of an active open, and the answer to one (RFC 9293, section 3.10). */
import { TCP_ACK, TCP_SYN } from "../../wire/tcp.ts";
import { initialWindow, makeCongestion } from "./congestion.ts";
import { negotiate, synFlags } from "./ecn.ts";
import { makeEcn } from "./ecn-state.ts";
import { makeFlight } from "./flight.ts";
import { makeHystart } from "./hystart.ts";
import { type TcpOptions, TIMESTAMPS_BYTES } from "./options.ts";
import { makeReceiveQueue } from "./receive-queue.ts";
import { makeRack } from "./recovery-state.ts";
import { makeRoundTrip } from "./round-trip.ts";
import { makeSendQueue } from "./send-queue.ts";
import type { TcpSettings } from "./settings.ts";
import type { Outlet, Segment, Tcb } from "./tcb.ts";
import { advertiseUnscaled, emit, timestampOf } from "./transmit.ts";

/** RFC 9293, section 3.7.1: without the option, over IPv4. */
const DEFAULT_MSS_BYTES = 536;
/** The largest shift of RFC 7323, section 2.3. */
const MAX_SHIFT = 14;
const MAX_UNSCALED = 0xffff;

export interface Opening {
  readonly settings: TcpSettings;
  /** The initial sequence number, which the caller draws. */
  readonly initial: number;
  /** The largest segment that the host's link takes, without options. */
  readonly mssBytes: number;
  readonly nowUs: number;
}

/** Makes a connection whose SYN is not sent yet. */
function makeTcb({ settings, initial, mssBytes, nowUs }: Opening, state: Tcb["state"]): Tcb {
  return {
    state,
    settings,
    initial,
    unacknowledged: initial,
    next: initial,
    sent: initial,
    window: 0,
    maxWindow: 0,
    windowFrom: [0, 0],
    sendShift: 0,
    queue: makeSendQueue(initial + 1),
    isClosing: false,
    mssBytes,
    acceptedMssBytes: mssBytes,
    receiveNext: 0,
    receiveEdge: 0,
    receiveShift: settings.windowScaling ? shiftFor(settings.receiveBufferBytes) : 0,
    received: makeReceiveQueue(),
    isPaused: false,
    unread: "",
    discards: false,
    unansweredBytes: 0,
    receivedMssBytes: DEFAULT_MSS_BYTES,
    usesScaling: settings.windowScaling,
    usesSack: settings.sack,
    usesTimestamps: settings.timestamps,
    recentTimestamp: 0,
    recentTimestampUs: nowUs,
    acknowledgedAt: 0,
    roundTrip: makeRoundTrip(),
    congestion: {
      ...makeCongestion(settings.congestion, mssBytes, nowUs),
      ...(settings.hystart && { hystart: makeHystart(initial) }),
    },
    isCongestionLimited: false,
    lastSentUs: nowUs,
    flight: makeFlight(),
    reported: [],
    rack: makeRack(),
    duplicates: 0,
    attempts: 0,
    deadlines: {},
    counters: {
      openedUs: nowUs,
      segmentsIn: 0,
      segmentsOut: 0,
      bytesReceived: 0,
      bytesAcknowledged: 0,
      retransmissions: 0,
      fastRecoveries: 0,
      timeouts: 0,
    },
  };
}

const shiftFor = (bytes: number): number => {
  let shift = 0;
  while (shift < MAX_SHIFT && bytes >> shift > MAX_UNSCALED) shift += 1;
  return shift;
};

/** Opens a connection: sends a SYN. */
export function openActively(opening: Opening, outlet: Outlet): Tcb {
  const tcb = makeTcb(opening, "SYN-SENT");
  if (opening.settings.ecn === "on") tcb.ecn = makeEcn();
  sendSyn(tcb, outlet);
  return tcb;
}

/** Answers a SYN. @param sequence of the SYN. */
export function openPassively(opening: Opening, syn: Segment, outlet: Outlet): Tcb {
  const tcb = makeTcb(opening, "SYN-RECEIVED");
  takeSyn(tcb, syn, outlet.nowUs);
  sendSyn(tcb, outlet);
  return tcb;
}

/** Takes the peer's SYN: where its stream begins, and the options that both sides have. */
export function takeSyn(tcb: Tcb, syn: Segment, nowUs: number): void {
  const { sequence, options, window } = syn;
  negotiate(tcb, syn);
  tcb.receiveNext = sequence + 1;
  tcb.receiveEdge = tcb.receiveNext;
  tcb.acknowledgedAt = tcb.receiveNext;
  tcb.window = window;
  tcb.maxWindow = window;
  tcb.windowFrom = [sequence, tcb.unacknowledged];
  tcb.usesSack &&= options.isSackPermitted === true;
  tcb.usesScaling &&= options.windowShift !== undefined;
  tcb.sendShift = tcb.usesScaling ? Math.min(options.windowShift ?? 0, MAX_SHIFT) : 0;
  if (!tcb.usesScaling) tcb.receiveShift = 0;
  tcb.usesTimestamps &&= options.timestamps !== undefined;
  if (options.timestamps) {
    tcb.recentTimestamp = options.timestamps.value;
    tcb.recentTimestampUs = nowUs;
  }
  // RFC 6691: options of data segments come out of the segment size.
  const mssBytes = Math.max(1, Math.min(tcb.mssBytes, options.mssBytes ?? DEFAULT_MSS_BYTES));
  setMss(tcb, Math.max(1, mssBytes - (tcb.usesTimestamps ? TIMESTAMPS_BYTES : 0)));
}

/** Sets the size of data segments while the window is still the initial one. */
function setMss(tcb: Tcb, mssBytes: number): void {
  tcb.mssBytes = mssBytes;
  tcb.congestion.windowBytes = initialWindow(mssBytes);
}

/** Sends the SYN, or sends it again. An answer offers only what the SYN has offered. */
export function sendSyn(tcb: Tcb, outlet: Outlet): void {
  const answers = tcb.state === "SYN-RECEIVED";
  const options: TcpOptions = {
    mssBytes: tcb.acceptedMssBytes,
    ...(tcb.usesSack && { isSackPermitted: true }),
    ...(tcb.usesTimestamps && { timestamps: timestampOf(tcb, outlet.nowUs) }),
    ...(tcb.usesScaling && { windowShift: tcb.receiveShift }),
  };
  tcb.next = tcb.initial + 1;
  tcb.sent = tcb.next;
  tcb.deadlines.retransmitUs = outlet.nowUs + tcb.roundTrip.rtoUs;
  if (tcb.attempts === 0) tcb.timed = { end: tcb.next, sentUs: outlet.nowUs };
  emit(tcb, outlet, {
    position: tcb.initial,
    flags: (answers ? TCP_SYN | TCP_ACK : TCP_SYN) | synFlags(tcb),
    window: advertiseUnscaled(tcb),
    options,
    data: new Uint8Array(0),
  });
}
