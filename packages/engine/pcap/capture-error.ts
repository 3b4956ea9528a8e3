/** Faults of a capture file, or of data that a caller wants to write to one. */
export type CaptureErrorCode =
  | "pcap.empty"
  | "pcap.unknown-format"
  | "pcap.unsupported-version"
  | "pcap.header-truncated"
  | "pcap.record-too-large"
  | "pcap.truncated"
  | "pcap.time-out-of-range"
  | "pcapng.unsupported-version"
  | "pcapng.header-truncated"
  | "pcapng.bad-byte-order-magic"
  | "pcapng.bad-block-length"
  | "pcapng.block-too-large"
  | "pcapng.bad-option"
  | "pcapng.bad-packet-length"
  | "pcapng.unknown-interface"
  | "pcapng.time-out-of-range"
  | "pcapng.truncated";

/** Bad capture data. `offset` is the position in the file, in bytes, of the faulty header, record or block. */
export class CaptureError extends Error {
  override readonly name = "CaptureError";
  readonly code: CaptureErrorCode;
  readonly offset: number;

  constructor(code: CaptureErrorCode, offset: number, message: string) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/**
 * Runs `finish` of a reader or sieve. Returns its error if the file is cut off in the middle of a record or block; all
 * packets before that are valid. Throws any other error.
 */
export function findCutOff(finish: () => void): CaptureError | undefined {
  try {
    finish();
    return undefined;
  } catch (error) {
    if (error instanceof CaptureError && CUT_OFF.has(error.code)) return error;
    throw error;
  }
}

const CUT_OFF: ReadonlySet<CaptureErrorCode> = new Set(["pcap.truncated", "pcapng.truncated"]);
