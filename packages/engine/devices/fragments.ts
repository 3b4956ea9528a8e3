/**
 * Joins the fragments of datagrams, of either IP version, for the device they are sent to.
 *
 * Keeps 16 datagrams at most, of 512 fragments each; a new one evicts the oldest. Drops a datagram in which two fragments
 * overlap or that grows too long, and ignores its later fragments until its time is over (RFC 5722, section 4). A fragment that
 * arrives twice, byte for byte, counts once. Nothing outlives the run.
 */
const MAX_DATAGRAMS = 16;
const MAX_FRAGMENTS = 512;

export interface Fragment {
  /** What the joined frame begins with if this is the first fragment: Ethernet and IP header. */
  readonly header: Uint8Array;
  /** Of the data in the whole datagram, in bytes. */
  readonly offset: number;
  readonly data: Uint8Array;
  readonly isLast: boolean;
}

type Piece = Pick<Fragment, "offset" | "data">;

interface Datagram {
  readonly startedUs: number;
  /** Of the fragment at offset 0. */
  header: Uint8Array | undefined;
  pieces: Piece[];
  heldBytes: number;
  /** Known with the last fragment. */
  dataBytes: number | undefined;
  isDropped: boolean;
}

export class Fragments {
  readonly #timeoutUs: number;
  readonly #maxFrameBytes: number;
  readonly #datagrams = new Map<string, Datagram>();

  /** @param timeoutUs from a datagram's first fragment to its last. */
  constructor(timeoutUs: number, maxFrameBytes: number) {
    this.#timeoutUs = timeoutUs;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * @param key of the datagram.
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

/** The pieces do not overlap, and none ends behind the last: as many bytes as there should be are all of them. */
function joined({ header, pieces, heldBytes, dataBytes }: Datagram): Uint8Array | undefined {
  if (header === undefined || dataBytes === undefined || heldBytes !== dataBytes) return undefined;
  const frame = new Uint8Array(header.length + dataBytes);
  frame.set(header);
  for (const { offset, data } of pieces) frame.set(data, header.length + offset);
  return frame;
}
