/**
 * Reassembles the fragments of datagrams, of either IP version, in the receiving device.
 *
 * Keeps at most 16 datagrams with at most 512 fragments each; a new datagram evicts the oldest. Drops a datagram if two fragments
 * overlap or if it grows too long, and ignores its later fragments until the timeout (RFC 5722, section 4). Ignores an identical
 * copy of a fragment. The end of the run drops incomplete datagrams.
 */
const MAX_DATAGRAMS = 16;
const MAX_FRAGMENTS = 512;

export interface Fragment {
  /** Ethernet and IP header; those of the first fragment begin the joined frame. */
  readonly header: Uint8Array;
  /** Offset of the data in the whole datagram, in bytes. */
  readonly offset: number;
  readonly data: Uint8Array;
  readonly isLast: boolean;
}

type Piece = Pick<Fragment, "offset" | "data">;

export interface Datagram {
  readonly startedUs: number;
  /** The header of the fragment at offset 0. */
  header: Uint8Array | undefined;
  pieces: Piece[];
  heldBytes: number;
  /** Undefined until the last fragment has arrived. */
  dataBytes: number | undefined;
  isDropped: boolean;
}

export class Fragments {
  readonly #timeoutUs: number;
  readonly #maxFrameBytes: number;
  readonly #datagrams = new Map<string, Datagram>();

  /** @param timeoutUs maximum time from a datagram's first fragment to its last. */
  constructor(timeoutUs: number, maxFrameBytes: number) {
    this.#timeoutUs = timeoutUs;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * @param key identifies the datagram.
   * @returns the whole frame if this fragment completes it: a new array, the first fragment's header before the data.
   */
  add(key: string, fragment: Fragment, nowUs: number): Uint8Array | undefined {
    const datagram = this.#datagramOf(key, nowUs);
    if (datagram.isDropped) return undefined;
    if (this.#fits(datagram, fragment)) hold(datagram, fragment);
    else drop(datagram);
    const frame = joined(datagram);
    if (frame !== undefined) this.#datagrams.delete(key);
    return frame;
  }

  freeze(): ReadonlyMap<string, Datagram> {
    return this.#datagrams;
  }

  thaw(datagrams: ReadonlyMap<string, Datagram>): void {
    for (const [key, datagram] of datagrams) this.#datagrams.set(key, datagram);
  }

  #datagramOf(key: string, nowUs: number): Datagram {
    const known = this.#datagrams.get(key);
    if (known !== undefined && nowUs - known.startedUs < this.#timeoutUs) return known;
    this.#datagrams.delete(key);
    const [oldest] = this.#datagrams.keys();
    if (oldest !== undefined && this.#datagrams.size >= MAX_DATAGRAMS) this.#datagrams.delete(oldest);
    const datagram: Datagram = {
      startedUs: nowUs,
      header: undefined,
      pieces: [],
      heldBytes: 0,
      dataBytes: undefined,
      isDropped: false,
    };
    this.#datagrams.set(key, datagram);
    return datagram;
  }

  #fits(datagram: Datagram, fragment: Fragment): boolean {
    const { offset, data, isLast, header } = fragment;
    const end = offset + data.length;
    const dataBytes = isLast ? end : datagram.dataBytes;
    const heldEnd = Math.max(end, ...datagram.pieces.map(endOf));
    if (header.length + heldEnd > this.#maxFrameBytes || datagram.pieces.length >= MAX_FRAGMENTS)
      return false;
    if (isLast && datagram.dataBytes !== undefined && datagram.dataBytes !== end) return false;
    if (dataBytes !== undefined && heldEnd > dataBytes) return false;
    return !datagram.pieces.some((piece) => overlaps(piece, fragment) && !isSame(piece, fragment));
  }
}

const endOf = ({ offset, data }: Piece): number => offset + data.length;

const overlaps = (one: Piece, other: Piece): boolean =>
  one.offset < endOf(other) && other.offset < endOf(one);

const isSame = (one: Piece, other: Piece): boolean =>
  one.offset === other.offset &&
  one.data.length === other.data.length &&
  one.data.every((byte, index) => byte === other.data[index]);

function hold(datagram: Datagram, { header, offset, data, isLast }: Fragment): void {
  if (offset === 0) datagram.header ??= header;
  if (isLast) datagram.dataBytes = offset + data.length;
  if (datagram.pieces.some((piece) => piece.offset === offset)) return;
  datagram.pieces.push({ offset, data });
  datagram.heldBytes += data.length;
}

function drop(datagram: Datagram): void {
  datagram.isDropped = true;
  datagram.header = undefined;
  datagram.pieces = [];
}

/** Joins the pieces if they are complete. They do not overlap and none exceeds the last one, so the byte count proves it. */
function joined({ header, pieces, heldBytes, dataBytes }: Datagram): Uint8Array | undefined {
  if (header === undefined || dataBytes === undefined || heldBytes !== dataBytes) return undefined;
  const frame = new Uint8Array(header.length + dataBytes);
  frame.set(header);
  for (const { offset, data } of pieces) frame.set(data, header.length + offset);
  return frame;
}
