/** The bytes that an application has written and the peer has not acknowledged. Bulk data is a count, so that it takes no memory. */

/** Text has one character per byte. */
export type Piece = { readonly text: string } | { readonly fill: number };

export interface SendQueue {
  /** Position of the first byte of the first piece. */
  start: number;
  /** Position after the last byte. */
  end: number;
  readonly pieces: Piece[];
}

export const makeSendQueue = (start: number): SendQueue => ({ start, end: start, pieces: [] });

/** Bulk data from a position that ends with the digit 0. */
const DIGITS = Uint8Array.from({ length: 10_000 }, (_, position) => 0x30 + (position % 10));

const lengthOf = (piece: Piece): number => ("fill" in piece ? piece.fill : piece.text.length);

export function append(queue: SendQueue, piece: Piece): void {
  const length = lengthOf(piece);
  if (length === 0) return;
  const last = queue.pieces.at(-1);
  if ("fill" in piece && last !== undefined && "fill" in last)
    queue.pieces[queue.pieces.length - 1] = { fill: last.fill + length };
  else queue.pieces.push(piece);
  queue.end += length;
}

/** Copies bytes from a position; bulk data is the digits 0 to 9 by position. */
export function readQueue(queue: SendQueue, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = queue.start;
  for (const piece of queue.pieces) {
    const pieceBytes = lengthOf(piece);
    const from = Math.max(at, position);
    const to = Math.min(at + pieceBytes, position + length);
    if (from < to) copyPiece(bytes, piece, from - position, to - position, from - at, from);
    at += pieceBytes;
    if (at >= position + length) break;
  }
  return bytes;
}

function copyPiece(
  bytes: Uint8Array,
  piece: Piece,
  start: number,
  end: number,
  skip: number,
  position: number,
): void {
  if ("text" in piece) {
    for (let at = start; at < end; at++) bytes[at] = piece.text.charCodeAt(skip + at - start);
    return;
  }
  for (let at = start; at < end; ) {
    const from = (position + at - start) % 10;
    const length = Math.min(end - at, DIGITS.length - from);
    bytes.set(DIGITS.subarray(from, from + length), at);
    at += length;
  }
}

/** Drops the bytes from a position on. */
export function truncate(queue: SendQueue, position: number): void {
  while (queue.end > position) {
    const last = queue.pieces.pop()!;
    const length = lengthOf(last);
    const kept = length - Math.min(length, queue.end - position);
    queue.end -= length - kept;
    if (kept > 0) queue.pieces.push("fill" in last ? { fill: kept } : { text: last.text.slice(0, kept) });
  }
}

/** Drops acknowledged bytes. */
export function dropBefore(queue: SendQueue, position: number): void {
  while (queue.start < position) {
    const first = queue.pieces[0];
    if (first === undefined) return;
    const length = lengthOf(first);
    const dropped = Math.min(length, position - queue.start);
    queue.start += dropped;
    if (dropped === length) queue.pieces.shift();
    else queue.pieces[0] = "fill" in first ? { fill: length - dropped } : { text: first.text.slice(dropped) };
  }
}
