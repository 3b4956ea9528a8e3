/** A packet while it is decoded: each layer fills it in, starting where the layer below ended. */

export class Packet {
  /** The captured bytes. */
  readonly bytes: Uint8Array;
  /** The capture truncated the packet. */
  readonly isCut: boolean;
  /** The offset where the current layer ends; padding may follow. */
  end: number;
  source: string | null = null;
  target: string | null = null;
  sourceMac: string | null = null;
  targetMac: string | null = null;
  vlan: number | null = null;
  protocol = "unknown";
  sourcePort: number | null = null;
  targetPort: number | null = null;
  info = "";

  constructor(bytes: Uint8Array, isCut: boolean) {
    this.bytes = bytes;
    this.isCut = isCut;
    this.end = bytes.length;
  }

  /** Returns whether `count` bytes are present at `at`; otherwise reports what is missing. */
  has(at: number, count: number, what: string): boolean {
    if (at + count <= this.end) return true;
    this.#lack(at, count, what);
    return false;
  }

  describe(protocol: string, info: string): void {
    this.protocol = protocol;
    this.info = info;
  }

  /** Reports bytes that are present but invalid. */
  malformed(reason: string): void {
    this.info = `malformed: ${reason}`;
  }

  /** Reports the number of bytes from `at` on, by the protocol's name, or by `kind` if it has none. */
  describeSize(name: string | undefined, kind: string, at: number): void {
    const size = bytesText(Math.max(0, this.end - at));
    if (name !== undefined) this.describe(name, size);
    else this.info = `${kind}, ${size}`;
  }

  /**
   * Limits the current layer to the length in its header. Returns false, and reports the packet as malformed, if bytes are
   * missing from a packet that the capture did not truncate.
   */
  limit(at: number, length: number, what: string): boolean {
    const end = at + length;
    if (end <= this.end) this.end = end;
    else if (!this.#endsInCut) {
      this.malformed(`${what} claims ${bytesText(length)}, ${this.end - at} are there`);
      return false;
    }
    return true;
  }

  /** Whether the capture ends the current layer, not the layer's own length. */
  get #endsInCut(): boolean {
    return this.isCut && this.end === this.bytes.length;
  }

  #lack(at: number, count: number, what: string): void {
    const present = Math.max(0, this.end - at);
    const missing = `${what} takes ${bytesText(count)}, ${present} are there`;
    if (this.#endsInCut) this.info = missing;
    else this.malformed(missing);
  }
}

export const hex = (value: number, digits = 4): string => `0x${value.toString(16).padStart(digits, "0")}`;

export const bytesText = (count: number): string => (count === 1 ? "1 byte" : `${count} bytes`);

/** The position of an IP payload, and its description in the IP header. */
export interface IpPayload {
  readonly protocol: number;
  readonly at: number;
  /** The length in the IP header; the capture may hold less. */
  readonly payloadBytes: number;
  readonly ttl: number;
}
