/**
 * Joining the fragments of IPv4 datagrams for the device they are sent to (RFC 791, section 3.2): a large ping, mostly.
 *
 * A few datagrams at a time, for 30 s each; when there are more, the oldest is given up. Pieces that overlap are not
 * joined at all (as RFC 5722 has it for IPv6). Nothing is remembered between runs.
 */
import { writeU16 } from "../wire/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../wire/ethernet.ts";
import { type Ipv4Header, writeIpv4Checksum } from "../wire/ipv4.ts";

const TIMEOUT_US = 30_000_000;
const MAX_DATAGRAMS = 16;
const MAX_PIECES = 512;
/** A datagram of 65,535 bytes, header included. */
const MAX_FRAME_BYTES = ETHERNET_HEADER_BYTES + 65_535;

interface Partial {
  readonly startedUs: number;
  /** Ethernet and IP header of the piece at offset 0. */
  first: Uint8Array | undefined;
  readonly pieces: { readonly offset: number; readonly data: Uint8Array }[];
  /** Known with the last piece. */
  payloadBytes: number | undefined;
}

export class Reassembly {
  readonly #partials = new Map<string, Partial>();

  /** @returns a frame with the whole datagram when this was the piece that lacked. */
  add(frame: Uint8Array, header: Ipv4Header, nowUs: number): Uint8Array | undefined {
    const key = `${header.source} ${header.target} ${header.protocol} ${header.id}`;
    const partial = this.#partialOf(key, nowUs);
    const start = ETHERNET_HEADER_BYTES + header.headerBytes;
    const data = frame.subarray(start, ETHERNET_HEADER_BYTES + header.totalBytes);
    if (header.fragmentOffset === 0) partial.first = frame.subarray(0, start);
    if (!header.moreFragments) partial.payloadBytes = header.fragmentOffset + data.length;
    addPiece(partial, header.fragmentOffset, data);
    const { first, payloadBytes } = partial;
    if (isHopeless(partial)) this.#partials.delete(key);
    else if (first !== undefined && payloadBytes !== undefined && isWhole(partial, payloadBytes)) {
      this.#partials.delete(key);
      return join(first, partial, payloadBytes);
    }
    return undefined;
  }

  #partialOf(key: string, nowUs: number): Partial {
    const known = this.#partials.get(key);
    if (known !== undefined && nowUs - known.startedUs < TIMEOUT_US) return known;
    this.#partials.delete(key);
    const [oldest] = this.#partials.keys();
    if (oldest !== undefined && this.#partials.size >= MAX_DATAGRAMS) this.#partials.delete(oldest);
    const partial: Partial = { startedUs: nowUs, first: undefined, pieces: [], payloadBytes: undefined };
    this.#partials.set(key, partial);
    return partial;
  }
}

/** A piece that was doubled on its way counts once. */
function addPiece({ pieces }: Partial, offset: number, data: Uint8Array): void {
  const isKnown = pieces.some((piece) => piece.offset === offset && piece.data.length === data.length);
  if (!isKnown) pieces.push({ offset, data });
}

const isHopeless = ({ first, pieces }: Partial): boolean =>
  pieces.length > MAX_PIECES ||
  pieces.some(({ offset, data }) => (first?.length ?? 0) + offset + data.length > MAX_FRAME_BYTES);

/** Whether the pieces lie end to end, each there once. */
function isWhole({ pieces }: Partial, payloadBytes: number): boolean {
  if (pieces.reduce((size, { data }) => size + data.length, 0) !== payloadBytes) return false;
  pieces.sort((a, b) => a.offset - b.offset);
  let end = 0;
  for (const { offset, data } of pieces) {
    if (offset !== end) return false;
    end += data.length;
  }
  return true;
}

function join(first: Uint8Array, { pieces }: Partial, payloadBytes: number): Uint8Array {
  const frame = new Uint8Array(first.length + payloadBytes);
  frame.set(first);
  for (const { offset, data } of pieces) frame.set(data, first.length + offset);
  writeU16(frame, ETHERNET_HEADER_BYTES + 2, frame.length - ETHERNET_HEADER_BYTES);
  writeU16(frame, ETHERNET_HEADER_BYTES + 6, 0);
  writeIpv4Checksum(frame, ETHERNET_HEADER_BYTES);
  return frame;
}
