/** Keyed hashes for message authentication (RFC 2104). */
import { concatBytes } from "../bytes.ts";
import type { Hash } from "./pad.ts";

const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

export function hmac(hash: Hash, key: Uint8Array, data: Uint8Array): Uint8Array {
  const block = new Uint8Array(hash.blockBytes);
  block.set(key.length > hash.blockBytes ? hash.digest(key) : key);
  const inner = hash.digest(
    concatBytes(
      block.map((byte) => byte ^ INNER_PAD),
      data,
    ),
  );
  return hash.digest(
    concatBytes(
      block.map((byte) => byte ^ OUTER_PAD),
      inner,
    ),
  );
}
