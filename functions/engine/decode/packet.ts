/** A packet while it is being decoded: the layers fill it in, each from where the one below it ended. */

export class Packet {
  /** The captured bytes. */
  readonly bytes: Uint8Array;
  /** The capture holds fewer bytes than there were. */
  readonly isCut: boolean;
  /** Where the present layer ends: behind it there is padding, or nothing. */
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

  /** Whether `count` bytes are there from `at` on; else the packet says what of it is missing. */
  has(at: number, count: number, what: string): boolean {
    if (at + count <= this.end) return true;
    this.#lack(at, count, what);
    return false;
  }

  tell(protocol: string, info: string): void {
    this.protocol = protocol;
    this.info = info;
  }

  /** The bytes are there and make no sense. */
  malformed(reason: string): void {
    this.info = `malformed: ${reason}`;
  }

  /** Says how much there is from `at` on: by its name, or of a kind that has none. */
  tellSize(name: string | undefined, kind: string, at: number): void {
    const size = bytesText(Math.max(0, this.end - at));
    if (name !== undefined) this.tell(name, size);
    else this.info = `${kind}, ${size}`;
  }

  /**
   * The present layer says how long it is. What is missing of a cut packet was cut off; of a whole one it is wrong, and
   * the packet says so.
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

  /** Whether the present layer ends where the capture does, and not by its own length. */
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

/** Where what an IP header announces begins, and what the header says of it. */
export interface IpPayload {
  readonly protocol: number;
  readonly at: number;
  /** As the IP header tells it; the capture may hold less. */
  readonly payloadBytes: number;
  readonly ttl: number;
}
