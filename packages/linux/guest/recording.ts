/** The slices of a guest from its opening to its checkpoint, and its state there; as a file. */
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Message } from "./guest.ts";
import type { AdvanceRequest, Reply } from "./protocol.ts";

export type AdvancedReply = Extract<Reply, { kind: "advanced" }>;

export interface Recording {
  readonly requests: readonly AdvanceRequest[];
  /** One for each request. */
  readonly replies: readonly AdvancedReply[];
  /** From the image's state. */
  readonly difference: Uint8Array;
  /** The guest's clock at the checkpoint. */
  readonly nowNs: number;
}

export const isEqual = (one: AdvanceRequest, other: AdvanceRequest): boolean =>
  one.toNs === other.toNs &&
  one.inputs.length === other.inputs.length &&
  one.inputs.every((input, at) => isSame(input, other.inputs[at]!));

const isSame = (one: Message, other: Message): boolean =>
  one.kind === other.kind && one.port === other.port && Buffer.compare(one.data, other.data) === 0;

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const SHA256_BYTES = 32;

/** @returns the SHA-256 of the rest, and zstd of the recording. */
export function encodeRecording(recording: Recording): Uint8Array {
  const body = zstdCompressSync(serialize(recording));
  return Buffer.concat([sha256(body), body]);
}

/** @returns undefined for bytes that `encodeRecording` has not made. */
export function decodeRecording(bytes: Uint8Array): Recording | undefined {
  const body = bytes.subarray(SHA256_BYTES);
  if (Buffer.compare(sha256(body), bytes.subarray(0, SHA256_BYTES)) !== 0) return undefined;
  return deserialize(zstdDecompressSync(body)) as Recording;
}
