/**
 * The slices of a guest from its opening to its checkpoint, and its state there; as a file: the length of a JSON text in 4 bytes, the text, and the bytes
 * of messages one after another. Whoever can write the file can give a guest another state, but no objects or code to the process that reads it.
 */
import { createHash } from "node:crypto";
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

const HEAD_BYTES = 4;

/** A message: kind, port, length of its bytes, and of an output its time. */
type Written = readonly [kind: Message["kind"], port: number, bytes: number, atNs?: number];

interface Text {
  /** Time, and inputs. */
  readonly requests: readonly (readonly [number, readonly Written[]])[];
  /** Time, time of waking (null is never), and outputs. */
  readonly replies: readonly (readonly [number, number | null, readonly Written[]])[];
  readonly difference: number;
  readonly nowNs: number;
}

/** @returns the SHA-256 of the rest, and zstd of the recording. */
export function encodeRecording({ requests, replies, difference, nowNs }: Recording): Uint8Array {
  const parts: Uint8Array[] = [];
  const write = ({ kind, port, data, atNs }: Message & { readonly atNs?: number }): Written => {
    parts.push(data);
    return atNs === undefined ? [kind, port, data.length] : [kind, port, data.length, atNs];
  };
  const text: Text = {
    requests: requests.map(({ toNs, inputs }) => [toNs, inputs.map(write)]),
    replies: replies.map((reply) => [
      reply.nowNs,
      Number.isFinite(reply.wakeNs) ? reply.wakeNs : null,
      reply.outputs.map(write),
    ]),
    difference: difference.length,
    nowNs,
  };
  const json = Buffer.from(JSON.stringify(text));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(json.length);
  const body = zstdCompressSync(Buffer.concat([head, json, ...parts, difference]));
  return Buffer.concat([sha256(body), body]);
}

/** @returns undefined for bytes that `encodeRecording` has not made. */
export function decodeRecording(bytes: Uint8Array): Recording | undefined {
  const body = bytes.subarray(SHA256_BYTES);
  if (Buffer.compare(sha256(body), bytes.subarray(0, SHA256_BYTES)) !== 0) return undefined;
  try {
    return parse(zstdDecompressSync(body));
  } catch (error) {
    if (error instanceof Malformed || error instanceof SyntaxError || error instanceof RangeError)
      return undefined;
    throw error;
  }
}

class Malformed extends Error {}

function parse(bytes: Buffer): Recording {
  const textEnd = HEAD_BYTES + bytes.readUInt32LE(0);
  const text: unknown = JSON.parse(bytes.subarray(HEAD_BYTES, textEnd).toString());
  let at = textEnd;
  const take = (length: unknown): Uint8Array => {
    const end = at + whole(length);
    if (end > bytes.length) throw new Malformed();
    at = end;
    return new Uint8Array(bytes.subarray(end - whole(length), end));
  };
  const message = (written: unknown): Message => {
    const [kind, port, length] = list(written);
    if (kind !== "frame" && kind !== "serial" && kind !== "drop") throw new Malformed();
    return { kind, port: whole(port), data: take(length) };
  };
  const { requests, replies, difference, nowNs } = (text ?? {}) as Record<string, unknown>;
  return {
    requests: list(requests).map((request) => {
      const [toNs, inputs] = list(request);
      return { kind: "advance", toNs: finite(toNs), inputs: list(inputs).map(message) };
    }),
    replies: list(replies).map((reply) => {
      const [now, wakeNs, outputs] = list(reply);
      return {
        kind: "advanced",
        nowNs: finite(now),
        wakeNs: wakeNs === null ? Number.POSITIVE_INFINITY : finite(wakeNs),
        outputs: list(outputs).map((output) => ({ ...message(output), atNs: finite(list(output)[3]) })),
      };
    }),
    difference: take(difference),
    nowNs: finite(nowNs),
  };
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Malformed();
}

function finite(value: unknown): number {
  if (typeof value === "number") return value;
  throw new Malformed();
}

function whole(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Malformed();
}
